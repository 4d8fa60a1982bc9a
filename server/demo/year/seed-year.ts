import { listLastEventTimes } from '#server/db/audit/logs.ts'
import { listUploads } from '#server/db/documents/documents.ts'
import type { DemoFiles } from '#server/demo/demo-files.ts'
import type { DemoServices } from '#server/demo/direct-services.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { doDocumentWork, type Scene } from './document-work.ts'
import { performInTurn } from './in-turn.ts'
import { doOfficeWork } from './office-work.ts'
import type { Task, Year } from './work.ts'
import { systemAt } from './year-system.ts'

/** Tasks in work at the same time. Most wait for a thread that reads files, or for their turn to write. */
const AT_ONCE = 10

/**
 * Lets the office live through its year with the use cases that pages and jobs use, at the times of the plan. What an
 * interrupted start has done is told by the last event of the log: each task writes its events at its own instant.
 */
export async function seedYear(
  system: System,
  files: DemoFiles,
  users: readonly User[],
  year: Year,
  services: DemoServices,
): Promise<void> {
  const [last] = await listLastEventTimes(system.db)
  const missing = year.tasks.filter((task) => last === undefined || isMissing(task, last))
  if (missing.length === 0) return
  const scene: Scene = { files, users, ids: await listUploaded(system, year) }
  const keyOf = ({ document }: Task) => document?.place
  await performInTurn(missing, AT_ONCE, keyOf, async (task, turn) => {
    const past = systemAt(system, services, task.at, turn)
    if (task.document === null) await doOfficeWork(past, scene, task)
    else await doDocumentWork(past, scene, task)
  })
}

/** A job may have been interrupted between two of its transactions; it may run twice. */
const isMissing = ({ at, work }: Task, last: Instant): boolean =>
  at > last || (at === last && REPEATABLE.has(work.kind))

const REPEATABLE = new Set<Task['work']['kind']>([
  ...(['start-numbers', 'skip-number', 'watch', 'empty-outbox'] as const),
  ...(['issue-constancia', 'expire-session'] as const),
])

/** The documents of an earlier start, by their place in the plan. */
async function listUploaded({ db }: System, { tasks }: Year): Promise<Scene['ids']> {
  const known = new Map((await listUploads(db)).map(({ id, at }) => [at, id]))
  const ids = tasks.flatMap(({ at, document, work }) => {
    const id = document && work.kind === 'upload' ? known.get(at) : undefined
    return document && id ? [[document.place, id] as const] : []
  })
  return new Map(ids)
}
