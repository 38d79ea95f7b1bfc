import { digestOf, encodeUtf8 } from "@palimpsest/ledger/Body"
import { pure } from "@palimpsest/ledger/Sha256"
import * as Decoder from "@palimpsest/transcript/Decoder"
import * as Records from "@palimpsest/transcript/Records"

const bytes = encodeUtf8('[{"role":"user","content":"Hello"},{"role":"assistant","content":"Hi."}]')
const { records } = Records.split("openai-chat", bytes)
const decoder = Decoder.make("openai-chat", pure)
const moves = records.flatMap((record) =>
  decoder.next({ ...record, digest: digestOf(pure, "application/json", record.bytes) })
)
moves.map((move) => move._tag).join(" ") // => "Opened Aside Entered Prompted Entered"
