import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { Problem } from '#server/domain/problem.ts'
import { type Duration, seconds } from '#server/domain/time.ts'
import type { PdfWork } from '#server/ports/pdf-work.ts'
import { TIME_FOR_ONE_FILE, timeFor } from './limited-time.ts'
import { type Answer, valueFrom } from './pdf-work/answer.ts'
import { unpackInquiry } from './pdf-work/inquiries.ts'
import { packPolicy } from './pdf-work/policy-in-transit.ts'
import type * as tasks from './pdf-work/worker.ts'
import { createQueue } from './queue.ts'

type Tasks = typeof tasks
type Input<Name extends keyof Tasks> = Parameters<Tasks[Name]>[0]
type Output<Name extends keyof Tasks> =
  Awaited<ReturnType<Tasks[Name]>> extends Answer<infer T> ? T : never

export type PdfWorkOptions = {
  threads?: number
  /** Most memory that the script of one thread may take, in megabytes. */
  memory?: number
  /** How long one task may run before its thread is ended; large files get a little more. */
  patience?: Duration
  /** The module with the tasks, when it is not our own. */
  worker?: URL
}

/**
 * Threads that read strangers' files. A task that takes too long or too much memory ends with
 * `pdf-too-complex` and its thread is replaced; the other tasks go on.
 */
export function createPdfWork(options: PdfWorkOptions = {}): PdfWork & { close(): Promise<void> } {
  const { threads = 2, memory = 512, patience: longest = TIME_FOR_ONE_FILE } = options
  const pool = new Piscina({
    filename: fileURLToPath(options.worker ?? new URL('./pdf-work/worker.ts', import.meta.url)),
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: seconds(60),
    // A thread that sleeps in Atomics.wait could not finish what PDFium and zlib do asynchronously.
    atomics: 'disabled',
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  })
  const { inTurn, isCrowded } = createQueue({ name: 'pdf-work', places: threads })

  function run<Name extends keyof Tasks>(
    name: Name,
    task: Input<Name>,
    isPatient = false,
  ): Promise<Output<Name>> {
    return inTurn(
      async () => {
        const limit = timeFor('path' in task ? (await stat(task.path)).size : 0, longest)
        // A signal with a time of its own would go off behind every task that is long over, and that is dear.
        const patience = new AbortController()
        const end = setTimeout(() => patience.abort(), limit)
        try {
          const { signal } = patience
          return valueFrom((await pool.run(task, { name, signal })) as Answer<Output<Name>>)
        } catch (error) {
          throw refusalFor(error, `${name} took more than ${limit} ms or its share of memory`)
        } finally {
          clearTimeout(end)
        }
      },
      { isPatient },
    )
  }

  return {
    isCrowded,
    inspect: (path, { isPatient = false } = {}) => run('inspect', { path }, isPatient),
    verify: (path, name, policy, { isPatient = false, constancia } = {}) =>
      run('verify', { path, name, policy: packPolicy(policy), constancia }, isPatient),
    prepareSheet: (path, plan) => run('prepareSheet', { path, plan }),
    prepare: (path, plan) => run('prepare', { path, plan }),
    addValidationData: (path, material, at) =>
      run('addValidationData', { path, material, at }, true),
    prepareDocumentStamp: (path, contentsSize) =>
      run('prepareDocumentStamp', { path, contentsSize }, true),
    certificates: (path, { isPatient = false, constancia } = {}) =>
      run('certificates', { path, constancia }, isPatient),
    inquiries: async (certificates, policy, { isPatient = false } = {}) => {
      const task = { certificates, policy: packPolicy(policy) }
      return (await run('inquiries', task, isPatient)).map(unpackInquiry)
    },
    signedRevisions: (path, { isPatient = false } = {}) =>
      run('signedRevisions', { path }, isPatient),
    signatureContents: (path) => run('signatureContents', { path }),
    evidenceSheet: (facts) => run('evidenceSheet', { facts }, true),
    material: (path) => run('material', { path }),
    report: (text) => run('report', { text }, true),
    picture: (path, page, width, { isPatient = false } = {}) =>
      run('picture', { path, page, width }, isPatient),
    comparePages: (path, pages, width) => run('comparePages', { path, pages, width }, true),
    close: () => pool.close({ force: true }),
  }
}

/** A page that is drawn leaves much behind at once; with less room a thread tidies up half of its time. */
const YOUNG_MEGABYTES = 48

function refusalFor(error: unknown, message: string): unknown {
  if (!(error instanceof Error)) return error
  const isLate = error.name === 'AbortError'
  const isOverLimit = isLate || ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
  if (!isOverLimit) return error
  return new Problem('pdf-too-complex', message, {
    cause: error,
    ...(isLate && { kind: 'timed-out' }),
  })
}
