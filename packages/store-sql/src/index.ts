/**
 * Events and bodies in SQL: SQLite as the embedded default.
 *
 * @since 0.1.0
 */
export * as Database from "./Database.ts"
export * as Migrations from "./Migrations.ts"
export * as NodeHasher from "./NodeHasher.ts"
export * as SqlBodyStore from "./SqlBodyStore.ts"
export * as SqlEventStore from "./SqlEventStore.ts"
export * as SqliteStore from "./SqliteStore.ts"
