import { type Duration, hours, milliseconds, minutes, seconds } from '#server/domain/time.ts'
import { reportSlowServer } from '#server/features/alerts/report-slow-server.ts'
import { sendDigests } from '#server/features/alerts/send-digests.ts'
import { watchClock } from '#server/features/alerts/watch-clock.ts'
import { watchDisk } from '#server/features/alerts/watch-disk.ts'
import { archiveWaiting } from '#server/features/archives/archive-waiting.ts'
import { renewArchives } from '#server/features/archives/renew-archives.ts'
import { watchProofs } from '#server/features/archives/watch-proofs.ts'
import { expirePackages, makePackages } from '#server/features/arco/make-packages.ts'
import { watchArco } from '#server/features/arco/watch-arco.ts'
import { checkLogs } from '#server/features/audit/check-log.ts'
import { checkpointLogs } from '#server/features/audit/checkpoint-log.ts'
import { clearWorkingRows } from '#server/features/auth/clear-working-rows.ts'
import { logVainAttempts } from '#server/features/auth/log-vain-attempts.ts'
import { watchBackups } from '#server/features/backups/watch-backups.ts'
import { watchCertificates } from '#server/features/certificates/watch-certificates.ts'
import { watchRevocation } from '#server/features/certificates/watch-revocation.ts'
import { issueConstancias } from '#server/features/constancias/issue-constancias.ts'
import { clearUploads } from '#server/features/documents/clear-uploads.ts'
import { indexDocuments } from '#server/features/documents/index-documents.ts'
import { judgeUploads } from '#server/features/documents/judge-uploads.ts'
import { removeUnneededFiles } from '#server/features/documents/remove-unneeded-files.ts'
import { encryptStoredFiles } from '#server/features/installation/encrypt-stored-files.ts'
import { optimizeDatabase } from '#server/features/installation/optimize-database.ts'
import { sendDueMail } from '#server/features/mail/send-due-mail.ts'
import { recountDeadlines } from '#server/features/obligations/recount-deadlines.ts'
import { setDeadlines } from '#server/features/obligations/set-deadlines.ts'
import { watchDeadlines } from '#server/features/obligations/watch-deadlines.ts'
import { expireReports } from '#server/features/reports/expire-reports.ts'
import { makeReports } from '#server/features/reports/make-reports.ts'
import { scheduleReports } from '#server/features/reports/schedule-reports.ts'
import { proposeDocuments } from '#server/features/retention/propose-documents.ts'
import { expireSigningSessions } from '#server/features/signing-sessions/expire-signing-sessions.ts'
import { sendDueReminders } from '#server/features/signing-sessions/send-due-reminders.ts'
import { watchCapacities } from '#server/features/users/watch-capacities.ts'
import type { Meter } from '#server/metrics/meter.ts'
import type { System } from '#server/system.ts'
import type { LeaderEvents } from './leader.ts'

export type Job = {
  name: string
  every: Duration
  /** Calls one use case, which must be safe to run in two processes at once: the leader may change while it runs. */
  run(system: System, stopping: AbortSignal): Promise<unknown>
  /** Runs in each process, about what only that process has. The other jobs run in one process of the installation. */
  isOfProcess?: true
  /** Runs once more at the end, with `stopping` aborted, to write what only this process knows. */
  isRunAtEnd?: true
}

/** The recurring jobs. */
export const JOBS: readonly Job[] = [
  { name: 'clear-working-rows', every: hours(1), run: clearWorkingRows },
  { name: 'clear-uploads', every: hours(1), run: clearUploads },
  {
    name: 'log-vain-attempts',
    every: seconds(5),
    run: logVainAttempts,
    isRunAtEnd: true,
    isOfProcess: true,
  },
  { name: 'archive-waiting', every: minutes(1), run: archiveWaiting },
  { name: 'renew-archives', every: hours(1), run: renewArchives },
  { name: 'watch-proofs', every: hours(1), run: watchProofs },
  { name: 'judge-uploads', every: seconds(3), run: judgeUploads },
  { name: 'index-documents', every: seconds(2), run: indexDocuments },
  { name: 'issue-constancias', every: seconds(20), run: issueConstancias },
  { name: 'encrypt-stored-files', every: minutes(1), run: encryptStoredFiles },
  { name: 'remove-unneeded-files', every: minutes(1), run: removeUnneededFiles },
  { name: 'make-arco-packages', every: seconds(5), run: makePackages },
  { name: 'expire-arco-packages', every: hours(1), run: expirePackages },
  { name: 'watch-arco', every: hours(1), run: watchArco },
  { name: 'propose-documents', every: hours(1), run: proposeDocuments },
  { name: 'make-reports', every: seconds(2), run: makeReports },
  { name: 'expire-reports', every: hours(1), run: expireReports },
  { name: 'schedule-reports', every: minutes(10), run: scheduleReports },
  { name: 'send-mail', every: seconds(10), run: sendDueMail },
  { name: 'checkpoint-log', every: seconds(15), run: checkpointLogs, isOfProcess: true },
  { name: 'check-log', every: hours(24), run: checkLogs },
  { name: 'optimize-database', every: hours(24), run: optimizeDatabase },
  { name: 'watch-backups', every: hours(1), run: watchBackups },
  { name: 'report-slow-server', every: minutes(1), run: reportSlowServer, isOfProcess: true },
  { name: 'watch-disk', every: minutes(1), run: watchDisk, isOfProcess: true },
  { name: 'watch-clock', every: minutes(5), run: watchClock, isOfProcess: true },
  { name: 'watch-certificates', every: hours(1), run: watchCertificates },
  { name: 'watch-revocation', every: hours(1), run: watchRevocation },
  { name: 'watch-capacities', every: hours(1), run: watchCapacities },
  { name: 'set-deadlines', every: seconds(5), run: setDeadlines },
  { name: 'recount-deadlines', every: minutes(1), run: recountDeadlines },
  { name: 'watch-deadlines', every: minutes(10), run: watchDeadlines },
  { name: 'send-digests', every: minutes(10), run: sendDigests },
  { name: 'expire-signing-sessions', every: minutes(1), run: expireSigningSessions },
  { name: 'send-due-reminders', every: minutes(1), run: sendDueReminders },
]

/** The first steps of all jobs together would keep requests waiting; jobs with one interval stay apart, too. */
const APART = milliseconds(50)
/** Jobs with such intervals do not run again only because a process starts. */
const LONG = minutes(10)

type Options = {
  jobs?: readonly Job[]
  meter?: Pick<Meter, 'ran'> | undefined
  /** How long ago jobs with long intervals ended well, by name. */
  runs?: () => Promise<ReadonlyMap<string, Duration>>
  /** Remembers that a job with a long interval ended well. */
  noteRun?: (job: string) => Promise<void>
  /** Runs each job inside of it, to trace it. */
  around?: (job: string, run: () => Promise<unknown>) => Promise<unknown>
  /** Calls `gained` while this process leads. Without it, this process is the only one. */
  lead?: (events: LeaderEvents) => () => Promise<void>
}

const onlyProcess: Required<Options>['lead'] = ({ gained }) => {
  const ending = new AbortController()
  gained(ending.signal)
  return async () => ending.abort()
}

/**
 * Runs each job soon and then at its interval; one with a long interval when it is due, also after a restart. Never runs
 * a job twice at the same time: it would ask slow authorities twice. A failed job is reported and runs again next time.
 *
 * @returns a function that stops the jobs and resolves when none is running
 */
export function startJobs(
  system: System,
  reportFailure: (job: string, error: unknown) => void,
  {
    jobs = JOBS,
    meter,
    runs = async () => new Map(),
    noteRun = async () => {},
    around = (_, run) => run(),
    lead = onlyProcess,
  }: Options = {},
): () => Promise<void> {
  const stopping = new AbortController()
  const { start, ended } = runnerOf(system, { reportFailure, meter, noteRun, around })
  const everywhere = jobs.filter(({ isOfProcess }) => isOfProcess)
  const shared = jobs.filter(({ isOfProcess }) => !isOfProcess)
  const failed = (error: unknown) => reportFailure('job-leader', error)

  const schedule = (some: readonly Job[], ages: ReadonlyMap<string, Duration>, over: AbortSignal) =>
    repeat(some, ages, over, (job) => start(job, over))
  schedule(everywhere, new Map(), stopping.signal)
  const endLead = lead({
    gained: (deposed) => {
      const over = AbortSignal.any([deposed, stopping.signal])
      // Without them the jobs run again too soon; without a schedule they would not run at all.
      runs()
        .catch((error) => {
          failed(error)
          return new Map<string, Duration>()
        })
        .then((ages) => schedule(shared, ages, over))
    },
    failed,
  })
  return async () => {
    stopping.abort()
    await ended()
    for (const job of jobs) if (job.isRunAtEnd) start(job, stopping.signal)
    await ended()
    await endLead()
  }
}

/** Begins each job when it is due, and then at its interval. The timers do not keep the process alive. */
function repeat(
  jobs: readonly Job[],
  ages: ReadonlyMap<string, Duration>,
  over: AbortSignal,
  start: (job: Job) => void,
): void {
  if (over.aborted) return
  const timers: NodeJS.Timeout[] = []
  for (const [place, job] of jobs.entries()) {
    const begin = () => {
      start(job)
      timers.push(setInterval(() => start(job), job.every).unref())
    }
    const age = ages.get(job.name)
    const due = age === undefined ? 0 : Math.max(0, job.every - age)
    timers.push(setTimeout(begin, due + place * APART).unref())
  }
  over.addEventListener('abort', () => {
    for (const timer of timers) clearTimeout(timer)
  })
}

type Runner = Pick<Required<Options>, 'noteRun' | 'around'> &
  Pick<Options, 'meter'> & { reportFailure: (job: string, error: unknown) => void }

function runnerOf(system: System, { reportFailure, meter, noteRun, around }: Runner) {
  const running = new Map<string, Promise<void>>()

  async function run({ name, every, run: work }: Job, over: AbortSignal): Promise<void> {
    const began = performance.now()
    const took = () => milliseconds(performance.now() - began)
    try {
      await around(name, () => work(system, over))
      meter?.ran(name, took(), 'done')
      // One that was interrupted is due again.
      if (every >= LONG && !over.aborted) await noteRun(name)
    } catch (error) {
      meter?.ran(name, took(), 'failed')
      reportFailure(name, error)
    }
  }

  return {
    start(job: Job, over: AbortSignal): void {
      if (running.has(job.name)) return
      running.set(
        job.name,
        run(job, over).finally(() => running.delete(job.name)),
      )
    },
    /** Resolves when no job runs. */
    async ended(): Promise<void> {
      await Promise.all(running.values())
    },
  }
}
