/**
 * Addresses: an entry and a range, relative to its run. `@41` is the event of seq 41, `@41.2` its second block,
 * `@41:120-180` lines of it; outside a view the run stands before it: `RUN@41`. Reading a text that looks like an
 * address gives no right to anything (law 15): it is resolved only for a run that is named, through policy.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { LogId, Seq } from "./Ids.ts"

/**
 * One entry, or one block of it (1-based), or lines of it (1-based, both ends included).
 *
 * @since 0.1.0
 * @category models
 */
export const Address = Schema.Struct({
  seq: Seq,
  block: Schema.optionalWith(Schema.Int.pipe(Schema.positive()), { exact: true }),
  lines: Schema.optionalWith(Schema.Tuple(Schema.Int.pipe(Schema.positive()), Schema.Int.pipe(Schema.positive())), {
    exact: true
  })
})
/** @since 0.1.0 */
export interface Address extends Schema.Schema.Type<typeof Address> {}

/**
 * An address of a named run.
 *
 * @since 0.1.0
 * @category models
 */
export interface RunAddress {
  readonly run: LogId
  readonly address: Address
}

/**
 * The text of an address as a view shows it.
 *
 * @since 0.1.0
 * @category formatting
 */
export const format = (address: Address): string =>
  `@${address.seq}` +
  (address.block === undefined ? "" : `.${address.block}`) +
  (address.lines === undefined ? "" : `:${address.lines[0]}-${address.lines[1]}`)

/**
 * Reads `RUN@SEQ[.BLOCK][:A-B]`. None where the text is not exactly one address, or its range is empty.
 *
 * @since 0.1.0
 * @category parsing
 */
export const parse = (text: string): Option.Option<RunAddress> => {
  const match = /^([^@]+)@([1-9][0-9]{0,9})(?:\.([1-9][0-9]{0,5}))?(?::([1-9][0-9]{0,9})-([1-9][0-9]{0,9}))?$/.exec(
    text
  )
  if (match === null) return Option.none()
  const [, run, seq, block, from, to] = match
  const decoded = Option.all({ run: decodeRun(run), seq: decodeSeq(Number(seq)) })
  if (Option.isNone(decoded)) return Option.none()
  if (from !== undefined && Number(from) > Number(to)) return Option.none()
  return Option.some({
    run: decoded.value.run,
    address: {
      seq: decoded.value.seq,
      ...(block === undefined ? {} : { block: Number(block) }),
      ...(from === undefined ? {} : { lines: [Number(from), Number(to)] as const })
    }
  })
}

const decodeRun = Schema.decodeUnknownOption(LogId)
const decodeSeq = Schema.decodeUnknownOption(Seq)
