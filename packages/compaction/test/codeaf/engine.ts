/** The preset as a record, so that a claim can be held against a wrong one too. */
import * as Bounds from "../../src/codeaf/Bounds.ts"
import * as Cut from "../../src/codeaf/Cut.ts"
import * as Decay from "../../src/codeaf/Decay.ts"
import * as Decayer from "../../src/codeaf/Decayer.ts"
import * as Fold from "../../src/codeaf/Fold.ts"
import * as Inflow from "../../src/codeaf/Inflow.ts"
import * as JobReport from "../../src/codeaf/JobReport.ts"
import * as Observations from "../../src/codeaf/Observations.ts"
import * as Spill from "../../src/codeaf/Spill.ts"
import * as Stubs from "../../src/codeaf/Stubs.ts"
import * as Turn from "../../src/codeaf/Turn.ts"
import * as Windows from "../../src/codeaf/Windows.ts"

export const ours = {
  settings: Windows.settings,
  withinWorkingSet: Windows.withinWorkingSet,
  bytesOr: Windows.bytesOr,
  share: Windows.share,
  observationWindow: Windows.observationWindow,
  observationSafetyWindow: Windows.observationSafetyWindow,
  observe: Inflow.observe,
  lowWater: Inflow.lowWater,
  actedPast: Decayer.actedPast,
  inherit: Decayer.inherit,
  preserve: Decayer.preserve,
  decayWithin: Decay.decayWithin,
  foldWithin: Fold.foldWithin,
  admit: Observations.admit,
  stripJobReport: JobReport.stripJobReport,
  callLabel: Stubs.callLabel,
  standIn: Stubs.standIn,
  safeName: Spill.safeName,
  boundsOf: Bounds.boundsOf,
  enter: Bounds.enter,
  notice: Cut.notice,
  prepare: Turn.prepare,
  settle: Turn.settle,
  hitPercent: Turn.hitPercent
}

export type Engine = typeof ours
