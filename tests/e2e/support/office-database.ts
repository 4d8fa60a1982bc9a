import path from 'node:path'
import Database from 'better-sqlite3'

export type LoggedEvent = {
  action: string
  result: string
  actor: { kind: string; userId?: string; sessionId?: string }
  subject: { kind: string; id?: string }
  details: Record<string, unknown>
}

/** The database of a running demo office, beside its server. */
export function officeDatabase(dataFolder: string) {
  const file = new Database(path.join(dataFolder, 'rubrica.sqlite'), { timeout: 5_000 })
  return {
    /** The audit events of one request, in order. */
    eventsOf(requestId: string): LoggedEvent[] {
      return file
        .prepare<[], { canonical: Buffer }>('select canonical from audit_events order by seq')
        .all()
        .map(({ canonical }) => JSON.parse(canonical.toString('utf8')))
        .filter((event) => event.requestId === requestId)
    },
    actions(requestId: string): string[] {
      return this.eventsOf(requestId).map(({ action, result }) =>
        result === 'success' ? action : `${action} (${result})`,
      )
    },
    all<T>(sql: string, ...values: unknown[]): T[] {
      return file.prepare<unknown[], T>(sql).all(...values)
    },
    /** Moves the time of some rows, or makes a change that an administrator could make. */
    change(sql: string, ...values: unknown[]): number {
      return file.prepare(sql).run(...values).changes
    },
    close: () => void file.close(),
  }
}

export type OfficeDatabase = ReturnType<typeof officeDatabase>
