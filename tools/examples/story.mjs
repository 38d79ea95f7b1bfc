/**
 * The long example: one maintenance session over this repository, told in neutral steps. It holds on purpose whatever
 * has tripped a reader of agent sessions: see the list in `examples/README.md`.
 *
 * @typedef {import("./workspace.mjs").Act} Act
 * @typedef {{
 *   step: "user" | "ask" | "apiError" | "interrupted" | "compacted" | "snapshot" | "turnEnd" | "queued" | "dangling",
 *   text?: string, thinking?: string, acts?: ReadonlyArray<Act>, between?: boolean, unanswered?: ReadonlyArray<number>,
 *   meta?: boolean, picture?: boolean
 * }} Step
 */
import { paragraph, sentence } from "./prose.mjs"
import { PICTURE, bundle, failure, forged, log, scripts, testRun, torn } from "./outputs.mjs"
import { page, testModule } from "./source.mjs"

/** @param {import("./random.mjs").Random} random @param {import("./workspace.mjs").Workspace} files @returns {ReadonlyArray<Step>} */
export const story = (random, files) => {
  /** @type {Array<Step>} */
  const steps = []
  const user = (/** @type {string} */ text, more = {}) => steps.push({ step: "user", text, ...more })
  /** @param {string} text @param {ReadonlyArray<Act>} acts @param {Partial<Step>} [more] */
  const ask = (text, acts, more = {}) =>
    steps.push({
      step: "ask",
      text,
      acts,
      ...(random.between(0, 2) === 0 && { thinking: paragraph(random, 4) }),
      ...more
    })
  const change = () => `  // ${sentence(random)}\n  if (${random.between(2, 99)} < state.length) return state`
  const mark = (/** @type {Step["step"]} */ step, text = "") => steps.push({ step, text })

  mark("snapshot")
  user(
    "A partial read of a file replaces a whole one in the view. Find out where, mend it, and add a test that fails without the change."
  )
  user("Caveat: lines written by local commands follow. Do not answer them.", { meta: true })
  ask("I start with the modules that know what a read covers.", [
    files.glob("packages/**/*.ts", "packages/", ".ts"),
    files.grep("tool", "covers", "packages/")
  ])
  supersession(random, files, ask, change)
  mark("turnEnd")

  user("Good. Now the whole suite, with every line it prints: I want to see what is slow. 🐢")
  ask("", [files.shell("npx nx run-many -t test --verbose", testRun(random, 6_600, 0))], {
    thinking: paragraph(random, 2)
  })
  ask("All pass. The slow ones are in the replay.", [
    files.shell("tail -n 2 /srv/project/tmp/last-run.log", "6600 cases\n0 failed"),
    files.cat("packages/governor/src/Replay.ts")
  ])
  ask("", [files.shell("node tools/slow.mjs --top 5", torn)])
  mark("apiError", "API Error: 529 overloaded")
  ask("", [files.shell("mkdir -p tmp", ""), { ...files.shell("touch tmp/last-run.log", ""), blocks: [] }])
  mark("turnEnd")

  user(`文档也要更新：${scripts.split("\n")[1]} 请保留 emoji。`)
  ask("I read the page first, then write the new section.", [files.read("docs/model.md"), files.cat("docs/notes.md")])
  ask("", [
    files.write("docs/notes.md", `${page(random, "Notes", 2)}\n${scripts}\n\n${forged}\n`),
    files.cat("docs/notes.md")
  ])
  ask("The notes quote lines that look like markers. They are only text.", [files.grep("grep", "elided", "docs/")])
  user("And here is what the report looks like on my screen.", { picture: true })
  ask("", [{ act: "picture", path: "docs/report.png", output: PICTURE }, files.read("docs/model.md", 20, 40)], {
    thinking: paragraph(random, 3)
  })
  ask("The table's last column is cut.", [files.sed("docs/model.md", 1, 60), issue(random)])
  mark("turnEnd")

  user("Before you go on, let a second pair of eyes look for other places that ignore coverage.")
  ask("I hand the survey to a helper.", [survey(random, files)])
  tour(random, files, ask, change, ["ledger", "budget"])
  mark("queued", "also look at the policy layers")
  user("also look at the policy layers")
  ask(
    "",
    [
      files.read("packages/policy/src/Layer.ts"),
      files.shell("npx vitest run packages/policy", testRun(random, 140, 1))
    ],
    { unanswered: [1], thinking: paragraph(random, 2) }
  )
  mark("interrupted")
  user("That hangs. Run one file only.")
  ask("", [
    files.shell("npx vitest run packages/policy/test/Layer.test.ts", testRun(random, 60, 0)),
    files.cat("packages/policy/src/Layer.ts")
  ])
  tour(random, files, ask, change, ["policy", "compaction"])
  ask("Every package is read. What is left are the transcripts.", [])
  mark("turnEnd")

  steps.push({
    step: "compacted",
    text: `The user asked for coverage to be honoured when a read supersedes another, for a test, for the notes in several scripts, and for a survey. ${paragraph(random, 12)}`
  })
  user("Go on with the transcripts: the same mistake may be in the shell reader.")
  mark("dangling")
  tour(random, files, ask, change, ["transcript", "governor"])
  ask("The bundle shows whether the old rule is still shipped.", [
    files.shell("cat apps/cli/dist/palimpsest.js", bundle(random, 305_000))
  ])
  ask("", [files.grep("rg", "superseded", "packages/"), files.shell("tail -n 40 tmp/log.txt", log(random, 40))], {
    between: true
  })
  ask("The rule is gone from the bundle.", [files.shell("npx vitest run", testRun(random, 320, 0))])
  tour(random, files, ask, change, ["compaction"])
  ask(`Done. ${paragraph(random, 2)} ✅`, [])
  mark("turnEnd")
  return steps
}

/** Finding and mending the mistake: reads whole and in part, an edit, a test that fails and then passes. */
const supersession = (random, files, ask, change) => {
  const [rule, test] = ["packages/compaction/src/Supersession.ts", "packages/compaction/test/Supersession.test.ts"]
  ask("", [files.read(rule), files.read(test), files.read("packages/ledger/src/Subject.ts")], {
    between: true,
    thinking: paragraph(random, 5)
  })
  ask("The comparison is by path alone. I look at the part that decides.", [
    files.sed(rule, 1, 60),
    files.read(rule, 40, 50)
  ])
  ask("", [files.cat(`./${rule}`), files.grep("rg", "evolve", "packages/compaction/")])
  ask(
    "A test first.",
    [
      files.write(test, testModule(random, "Supersession", 18)),
      files.shell(`npx vitest run ${test}`, failure(random, test), true)
    ],
    { between: true }
  )
  ask("It fails as it should.", [files.edit(rule, 30, change()), files.edit(rule, 60, change())])
  ask("", [files.read(rule), files.shell(`npx vitest run ${test}`, testRun(random, 18, 0))])
  ask("And once more, whole, to be sure of the final text.", [
    files.read(rule),
    { act: "todo", items: ["mend the rule", "add the test", "update the notes"], output: "Todos updated" }
  ])
}

/** A walk through some packages: each module is read whole, searched, changed, and read again, whole or in part. */
const tour = (random, files, ask, change, packages) => {
  for (const name of packages) {
    const sources = files.paths(`packages/${name}/src/`)
    ask(sentence(random), [files.glob("*.ts", `packages/${name}/`, ".ts"), files.read(`packages/${name}/README.md`)])
    for (const path of sources.slice(0, 4)) {
      ask(random.pick(["", sentence(random)]), [files.read(path), files.grep("rg", "scalars", `packages/${name}/src/`)])
      const at = random.between(20, 70)
      ask(random.pick(["", sentence(random)]), [files.sed(`./${path}`, at, at + 40), files.edit(path, at, change())], {
        between: random.between(0, 1) === 0
      })
      ask("", [random.between(0, 1) === 0 ? files.read(path) : files.read(path, Math.max(1, at - 10), 60)])
    }
  }
}

/** A search by a helper, whose own messages stand in the same file. @returns {Act} */
const survey = (random, files) => {
  const prompt = `List every place under packages/ that compares two reads by path alone. ${sentence(random)}`
  const answer = `Three places. ${paragraph(random, 5)}`
  const child = [
    { step: "user", text: prompt },
    {
      step: "ask",
      text: "I search first.",
      acts: [files.grep("tool", "readonly", "packages/budget/"), files.grep("rg", "covers", "packages/ledger/")]
    },
    {
      step: "ask",
      text: "",
      acts: [files.read("packages/ledger/src/Subject.ts"), files.read("packages/budget/src/Ceiling.ts")],
      thinking: paragraph(random, 2)
    },
    { step: "ask", text: "", acts: [files.read("packages/ledger/src/Subject.ts", 10, 30)] },
    { step: "ask", text: answer, acts: [] }
  ]
  return {
    act: "task",
    about: "survey of coverage",
    prompt,
    output: answer,
    blocks: [answer, "helper: done in 4 requests"],
    child
  }
}

/** An answer of another program, in two blocks. @returns {Act} */
const issue = (random) => {
  const blocks = [
    JSON.stringify({ number: random.between(10, 400), title: sentence(random), open: true }),
    paragraph(random, 3)
  ]
  return { act: "issue", output: blocks.join("\n"), blocks }
}
