import * as Budget from "@palimpsest/budget"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"

const { limits, rules } = Either.getOrThrow(
  Budget.LimitsDocument.decode({ max_total_tokens: 10_000, max_depth: 1, max_wall_seconds: { elapsed: 3_600 } })
)
const account = Budget.Ids.AccountId.make("tree")
const [root, child] = [Budget.Ids.RunId.make("root"), Budget.Ids.RunId.make("child")]
const reservation = Budget.Ids.ReservationId.make("request-1")

const program = Effect.gen(function* () {
  const accounts = yield* Budget.Accounts.Accounts
  yield* accounts.open(account, { root, limits, rules })
  yield* accounts.dispatch(account, { parent: root, child, allotment: { tokens: 4_000 } })
  const hold = yield* Budget.Hold.make({ inputBound: 2_000, outputCap: 1_000 })
  yield* Budget.WithReservation.withReservation(account, { reservation, run: child, hold })(({ sent, settle }) =>
    Effect.gen(function* () {
      yield* sent // the request leaves here; what comes back says what it cost
      const usage = {
        input_tokens: 400,
        cache_read_input_tokens: 1_500,
        cache_creation_input_tokens: 0,
        output_tokens: 500
      }
      yield* settle(Budget.Spend.of(Budget.UsageShape.read("anthropic", usage)))
    })
  )
  return yield* accounts.reading(account, {})
})

const memory = Layer.provide(Budget.AccountsMemory.layer, Budget.AccountClock.ofRuntime("this process"))
const reading = Effect.runSync(Effect.provide(program, memory))

Budget.Reading.on(reading, "tokens")?.charged // => 2400
Budget.Reading.on(reading, "tokens")?.reserved // => 1600
Budget.Reading.remaining(reading, "tokens") // => 6000
