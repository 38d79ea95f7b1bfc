/** What may be recalled, and what the policy says: refusals exit 1 and name rule and layer. */
import { beforeAll, describe, expect, it } from "vitest"
import type { EntryRow } from "@palimpsest/governor/Entries"
import { Conversation } from "./support/claude.ts"
import { fileOf, newDatabase } from "./support/folder.ts"
import { json, palimpsest } from "./support/palimpsest.ts"
import type { Report } from "./support/report.ts"

const SECRET = "TOKEN=hunter2\n"
const ALLOW = { layers: [], defaults: { read: "allow", write: "allow", exec: "allow", net: "allow" } }

const policyFile = (policy: unknown): string =>
  fileOf(typeof policy === "string" ? policy : JSON.stringify(policy), "policy.json")

describe("recall through the policy of now", () => {
  const db = newDatabase()
  const addresses = new Map<string, string>()

  beforeAll(async () => {
    const session = new Conversation()
      .user("What is the token?")
      .read("toolu_env", "/srv/project/.env", SECRET)
      .call("toolu_cat", "Bash", { command: "cat config/.env" })
      .result("toolu_cat", SECRET)
      .read("toolu_src", "/srv/project/src/main.ts", "export {}\n")
      .answer("I should not say.")
    const { runs } = await json<Report>(["govern", fileOf(session.text()), "--db", db])
    const { entries } = await json<{ readonly entries: ReadonlyArray<EntryRow> }>(["entries", runs[0]!.run, "--db", db])
    for (const { address, call, part } of entries) if (part === "Result") addresses.set(call ?? "", address)
  })

  const recall = async (call: string, ...options: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await palimpsest(["recall", addresses.get(call)!, "--db", db, ...options])
    return { code, stderr, stdout: stdout.toString("utf8") }
  }

  it.each(["toolu_env", "toolu_cat"])(
    "a secret is refused by the built-in policy, with rule and layer: %s",
    async (call) => {
      const { code, stderr, stdout } = await recall(call)
      expect([code, stdout]).toEqual([1, ""])
      expect(stderr).toContain(`recall of ${addresses.get(call)} refused`)
      expect(stderr).toContain("rule .env in layer builtin-secrets")
      expect(stderr).not.toContain("hunter2")
    }
  )

  it("what is no secret is given", async () => {
    expect(await recall("toolu_src")).toEqual({ code: 0, stderr: "", stdout: "export {}\n" })
  })

  it("--policy FILE decides instead: it allows the secret, or asks for what is none", async () => {
    expect(await recall("toolu_env", "--policy", policyFile(ALLOW))).toEqual({ code: 0, stderr: "", stdout: SECRET })
    const rules = [{ act: "read", ruling: "ask", pattern: "src/**" }]
    const asking = policyFile({ ...ALLOW, layers: [{ name: "team", rules }] })
    const { code, stderr, stdout } = await recall("toolu_src", "--policy", asking)
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toContain("is for a person to allow by rule src/** in layer team")
  })

  it.each<readonly [string, unknown, string]>([
    ["no JSON", "{layers", "not JSON"],
    ["no layers", { defaults: ALLOW.defaults }, ":1:1: layers: is missing"],
    ["an unknown key", { ...ALLOW, extra: 1 }, ": extra: is unexpected"],
    [
      "an unknown ruling",
      { ...ALLOW, defaults: { ...ALLOW.defaults, exec: "maybe" } },
      `: defaults.exec: expected "allow" or "ask" or "deny", got "maybe"`
    ],
    [
      "an unknown act",
      { ...ALLOW, layers: [{ name: "a", rules: [{ act: "fly", ruling: "deny", pattern: "x" }] }] },
      ": layers[0].rules[0].act: expected "
    ],
    [
      "a malformed pattern",
      { ...ALLOW, layers: [{ name: "a", rules: [{ act: "read", ruling: "deny", pattern: "" }] }] },
      ": layers[0].rules[0].pattern: an empty pattern"
    ]
  ])("a malformed policy exits 2 and says where: %s", async (_, policy, where) => {
    const file = policyFile(policy)
    const { code, stderr, stdout } = await recall("toolu_src", "--policy", file)
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toContain(file)
    expect(stderr).toContain(where)
  })

  it("a policy that is not there", async () => {
    const { code, stderr } = await recall("toolu_src", "--policy", `${db}.policy.json`)
    expect([code, stderr]).toEqual([2, `palimpsest: ${db}.policy.json: no such file\n`])
  })
})

describe("policy check", () => {
  const check = async (...args: ReadonlyArray<string>) => {
    const { code, stdout } = await palimpsest(["policy", "check", ...args])
    return [code, stdout.toString("utf8").trimEnd()] as const
  }

  it.each<readonly [string, string, number, string]>([
    ["read", "src/main.ts", 0, "allow: read src/main.ts by default"],
    ["exec", "rustc", 0, "allow: exec rustc by rule rustc in layer builtin-exec"],
    ["read", "a/b/.env", 1, "deny: read a/b/.env by rule .env in layer builtin-secrets"],
    ["write", "server.pem", 1, "deny: write server.pem by rule *.pem in layer builtin-secrets"],
    ["write", "src/main.ts", 1, "ask: write src/main.ts by default"],
    ["net", "example.org", 1, "deny: net example.org by default"]
  ])("%s %s", async (act, target, code, words) => {
    expect(await check(act, target)).toEqual([code, words])
  })

  it("with a policy of one's own: deny beats ask beats allow, in whatever layer", async () => {
    const rule = (ruling: string, pattern: string) => ({ act: "read", ruling, pattern })
    const policy = policyFile({
      ...ALLOW,
      layers: [
        { name: "mine", rules: [rule("allow", "docs/**"), rule("ask", "docs/private/**")] },
        { name: "theirs", rules: [rule("deny", "docs/private/keys.md")] }
      ]
    })
    expect(await check("read", "docs/a.md", "--policy", policy)).toEqual([
      0,
      "allow: read docs/a.md by rule docs/** in layer mine"
    ])
    expect(await check("read", "docs/private/a.md", "--policy", policy)).toEqual([
      1,
      "ask: read docs/private/a.md by rule docs/private/** in layer mine"
    ])
    expect(await check("read", "docs/private/keys.md", "--policy", policy)).toEqual([
      1,
      "deny: read docs/private/keys.md by rule docs/private/keys.md in layer theirs"
    ])
  })

  it("a policy in YAML decides as one in JSON, and what is wrong with it is told with line and column", async () => {
    const yaml = (ruling: string) =>
      fileOf(
        [
          "# the team's own",
          "layers:",
          "  - name: team",
          "    rules:",
          `      - { act: read, ruling: ${ruling}, pattern: "docs/**" }`,
          "defaults: { read: allow, write: ask, exec: ask }"
        ].join("\n"),
        "policy.yaml"
      )
    expect(await check("read", "docs/a.md", "--policy", yaml("deny"))).toEqual([
      1,
      "deny: read docs/a.md by rule docs/** in layer team"
    ])
    const file = yaml("warn")
    const { code, stderr } = await palimpsest(["policy", "check", "read", "docs/a.md", "--policy", file])
    expect([code, stderr]).toEqual([
      2,
      `palimpsest: ${file}:5:22: layers[0].rules[0].ruling: expected "allow" or "ask" or "deny", got "warn"\n`
    ])
  })

  it("--json gives the verdict and every rule that was considered", async () => {
    const [code, text] = await check("read", ".env", "--json")
    expect(code).toBe(1)
    expect(JSON.parse(text)).toMatchObject({
      act: "read",
      target: ".env",
      verdict: { ruling: "deny", rule: ".env", layer: "builtin-secrets" },
      considered: expect.arrayContaining([expect.objectContaining({ layer: "builtin-secrets", matched: true })])
    })
  })
  it("--why lists every rule of the act in the order in which they count, and marks those that match", async () => {
    const rules = [
      { act: "read", ruling: "allow", pattern: "docs/*" },
      { act: "write", ruling: "deny", pattern: "*" },
      { act: "read", ruling: "deny", pattern: "*.key" }
    ]
    const policy = policyFile({ ...ALLOW, layers: [{ name: "mine", rules }] })
    const [code, text] = await check("read", "./docs//a.key", "--policy", policy, "--why")
    expect([code, ...text.split("\n")]).toEqual([
      1,
      "deny: read ./docs//a.key by rule *.key in layer mine",
      "asked of docs/a.key",
      "   ruling  rule    layer  place",
      "*  deny    *.key   mine   layers[0].rules[2]",
      "*  allow   docs/*  mine   layers[0].rules[0]"
    ])
    expect(await check("net", "h", "--policy", policy, "--why")).toEqual([
      0,
      "allow: net h by default\nno rule is of this act; asked of h"
    ])
  })
})
