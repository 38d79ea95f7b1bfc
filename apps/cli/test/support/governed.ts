/** What is governed already when the tests begin. */
import { inject } from "vitest"
import { governedIn, type Governed, type Name } from "./examples.ts"

/** The database is shared by all tests: whoever changes it works on a copy. */
export const governed = (name: Name): Governed => governedIn(inject("governed"), name)
