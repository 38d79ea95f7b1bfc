import { Check, Contain, Policy } from "@palimpsest/policy"
import * as Either from "effect/Either"

const project = Policy.allow(Policy.layer(Policy.builtin, "project"), "write", "src/*")
const child = Policy.deny(Policy.layer(Policy.permissive, "child"), "write", "*.lock")
const policy = Either.getOrThrow(Check.compile(Contain.contain(project, child)))

Check.check(policy, "write", "./src/a.ts") // => { ruling: "allow", rule: "src/*", layer: "project" }
Check.check(policy, "write", "src/a.lock") // => { ruling: "deny", rule: "*.lock", layer: "child" }
Check.check(policy, "read", "deploy/.env") // => { ruling: "deny", rule: ".env", layer: "builtin-secrets" }
Check.explain(policy, "net", "a.test:443").verdict // => { ruling: "deny" }
