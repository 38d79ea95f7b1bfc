/** Asking from inside a plan. An answer of the wrong kind is the caller's defect, and thrown. */
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Form } from "../Form.ts"
import type { Reread, RereadAnswer } from "../SectionReread.ts"
import type { Given, Wanted } from "../SectionWanted.ts"

export type Asking<A> = Generator<Wanted, A, Given>

export function* askReread(wanted: Omit<Reread, "_tag">): Asking<RereadAnswer> {
  const given = yield { _tag: "Reread", ...wanted }
  if (given._tag === "Restored") throw new TypeError(`a re-read of ${wanted.target} was answered with a form`)
  return given
}

export function* askRestore(seq: Seq): Asking<Form> {
  const given = yield { _tag: "Restore", seq }
  if (given._tag !== "Restored") throw new TypeError(`the form of @${seq} was answered with a re-read`)
  return given.form
}
