/**
 * Contracts of this package's ports, which any implementation can run. Imports no test runner:
 *
 *     for (const { check, name } of WorkspaceContract.checks) it.effect(name, () => Effect.provide(check, layer))
 *
 * @since 0.1.0
 */
export * as WorkspaceContract from "./testing/WorkspaceContract.ts"
