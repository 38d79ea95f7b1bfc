/**
 * Events, bodies, their removal and accounts in SQL: SQLite as the embedded default, PostgreSQL for many nodes.
 *
 * @since 0.1.0
 */
export * as AccountsAudit from "./accounts/AccountsAudit.ts"
export * as AccountsSql from "./accounts/AccountsSql.ts"
export * as Database from "./Database.ts"
export * as Migrations from "./Migrations.ts"
export * as NodeHasher from "./NodeHasher.ts"
export * as OpenDatabase from "./accounts/OpenDatabase.ts"
export * as PostgresStore from "./PostgresStore.ts"
export * as SqlBodyStore from "./SqlBodyStore.ts"
export * as SqlEventStore from "./SqlEventStore.ts"
export * as SqlRemoval from "./SqlRemoval.ts"
export * as SqliteStore from "./SqliteStore.ts"
export * as Tails from "./Tails.ts"
