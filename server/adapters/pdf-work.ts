import { Problem } from '#server/domain/problem.ts'
import { type Duration, milliseconds } from '#server/domain/time.ts'
import type { FileBudget, TaskOptions } from '#server/ports/file-budget.ts'
import type { PdfWork } from '#server/ports/pdf-work.ts'
import { TIME_FOR_ONE_FILE, timeFor } from './limited-time.ts'
import { type Answer, valueFrom } from './pdf-work/answer.ts'
import { ownBytes } from './pdf-work/own-bytes.ts'
import { packPolicy } from './pdf-work/policy-in-transit.ts'
import { createThreadPool, type TaskPool } from './pdf-work/task-pool.ts'
import type * as tasks from './pdf-work/worker.ts'
import { createQueue } from './queue.ts'

type Tasks = typeof tasks
type Input<Name extends keyof Tasks> = Parameters<Tasks[Name]>[0]
type Output<Name extends keyof Tasks> =
  Awaited<ReturnType<Tasks[Name]>> extends Answer<infer T> ? T : never

export type PdfWorkOptions = {
  /** Tasks at once. */
  threads?: number
  /** Most tasks that wait, besides patient ones. */
  waiting?: number
  /** Most memory that the script of one thread may take, in megabytes. */
  memory?: number
  /** How long one task may run before its thread is ended; large files get a little more. */
  patience?: Duration
  /** The module with the tasks, when it is not our own. */
  worker?: URL
  /** Where the tasks run, when it is not in threads of this process. Serves as many tasks at once as `threads`. */
  pool?: TaskPool
}

/**
 * Threads that read untrusted files. A task that takes too long or too much memory ends with
 * `pdf-too-complex` and its thread is replaced; the other tasks go on.
 */
export function createPdfWork(options: PdfWorkOptions = {}): PdfWork & { close(): Promise<void> } {
  const { threads = 2, memory = 512, patience: longest = TIME_FOR_ONE_FILE } = options
  const { waiting = Infinity } = options
  const pool = options.pool ?? createThreadPool({ threads, memory, worker: options.worker })
  const { inTurn, isCrowded } = createQueue({ name: 'pdf-work', places: threads, waiting })

  function run<Name extends keyof Tasks>(
    name: Name,
    task: Input<Name>,
    { isPatient = false, budget = {}, signal }: TaskOptions = {},
  ): Promise<Output<Name>> {
    return inTurn(
      async () => {
        budget.left ??= timeFor('file' in task ? task.file.length : 0, longest)
        const measured = { name, budget, spent: pool.meter(), signal }
        return await withinBudget(measured, async (end) =>
          valueFrom((await pool.run(task, { name, signal: end })) as Answer<Output<Name>>),
        )
      },
      { isPatient, signal },
    )
  }

  return {
    isCrowded,
    inspect: (file, options) => run('inspect', { file }, options),
    questions: (file, policy, { constancia, ...options } = {}) =>
      run('questions', { file, policy: packPolicy(policy), constancia }, options),
    questionsAbout: (certificates, policy, options) =>
      run('questionsAbout', { certificates, policy: packPolicy(policy) }, options),
    signersRevocation: (path, policy) =>
      run('signersRevocation', { path: path.map(ownBytes), policy: packPolicy(policy) }),
    judgeAnswer: (answer) =>
      run('judgeAnswer', {
        ...answer,
        der: ownBytes(answer.der),
        responders: answer.responders.map(ownBytes),
      }),
    acceptStamp: ({ answer, ...request }, policy) =>
      run('acceptStamp', { ...request, answer: ownBytes(answer), policy: packPolicy(policy) }),
    readConstancia: (answer, asked) => run('readConstancia', { answer: ownBytes(answer), asked }),
    questionsAboutConstancia: (answer, policy) =>
      run('questionsAboutConstancia', { answer: ownBytes(answer), policy: packPolicy(policy) }),
    judgeConstancia: (answer, sha256, policy) =>
      run('judgeConstancia', { answer: ownBytes(answer), sha256, policy: packPolicy(policy) }),
    verify: (file, name, policy, { constancia, ...options } = {}) =>
      run('verify', { file, name, policy: packPolicy(policy), constancia }, options),
    prepareSheet: (file, plan) => run('prepareSheet', { file, plan }),
    prepare: (file, plan) => run('prepare', { file, plan }),
    addValidationData: (file, material, at) =>
      run('addValidationData', { file, material, at }, PATIENT),
    prepareDocumentStamp: (file, contentsSize) =>
      run('prepareDocumentStamp', { file, contentsSize }, PATIENT),
    signedRevisions: (file, options) => run('signedRevisions', { file }, options),
    signatureContents: (file, options) => run('signatureContents', { file }, options),
    evidenceSheet: (facts) => run('evidenceSheet', { facts }, PATIENT),
    readAuthorities: (file, name) => run('readAuthorities', { file: ownBytes(file), name }),
    describeCertificate: (der, policy) =>
      run('describeCertificate', { der: ownBytes(der), policy: packPolicy(policy) }),
    describeFile: (file, now) => run('describeFile', { content: ownBytes(file), now }),
    acceptCertificate: (file, rfc, policy) =>
      run('acceptCertificate', { content: ownBytes(file), rfc, policy: packPolicy(policy) }),
    readAttestation: (files, makers, at) =>
      run('readAttestation', { files: files.map(ownBytes), makers: makers.map(ownBytes), at }),
    proveSignatures: (file, subject, policy, options) =>
      run('proveSignatures', { file, subject, policy: packPolicy(policy) }, options),
    proveRevocation: (file, subject, policy, options) =>
      run('proveRevocation', { file, subject, policy: packPolicy(policy) }, options),
    report: (text) => run('report', { text }, PATIENT),
    sheetPicture: (file, plan, of) => run('sheetPicture', { file, plan, of }),
    stampOutlook: (file, query, options) => run('stampOutlook', { file, query }, options),
    picture: (file, of, options) => run('picture', { file, of }, options),
    pageText: (file, page, options) => run('pageText', { file, page }, options),
    compareTexts: (earlier, file, options) => run('compareTexts', { file, earlier }, options),
    pageSizes: (file, options) => run('pageSizes', { file }, options),
    comparePages: (file, pages, width, options) =>
      run('comparePages', { file, pages, width }, { ...options, ...PATIENT }),
    close: () => pool.close(),
  }
}

const PATIENT = { isPatient: true }

/** On a busy machine a task may take so many times its budget on the clock. */
const MOST_WAITING = 3
/** Between two looks at the processor time, in milliseconds. */
const SHORTEST_WAIT = 20

type Measured = {
  name: string
  budget: FileBudget
  spent(): number
  signal: AbortSignal | undefined
}

/**
 * Ends the work when the budget is used up, and takes from the budget what the work used: its processor time, so that a
 * good file is not too complex because the machine is busy.
 *
 * @param measured.spent the most processor time that the work may have used
 * @param measured.signal ends the work, too
 * @throws {Problem} `pdf-too-complex`
 */
async function withinBudget<T>(
  { name, budget, spent, signal }: Measured,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = budget.left ?? 0
  const message = `${name} took more than ${limit} ms or its share of memory`
  if (limit <= 0) throw new Problem('pdf-too-complex', message, { kind: 'timed-out' })
  const start = performance.now()
  const waited = () => performance.now() - start
  const used = () => Math.min(waited(), spent())
  // A signal with a time of its own would go off behind every task that is long over, and that is dear.
  const patience = new AbortController()
  const giveUp = () => patience.abort()
  signal?.throwIfAborted()
  signal?.addEventListener('abort', giveUp, { once: true })
  let end = setTimeout(look, limit)
  function look(): void {
    const left = Math.min(limit - used(), MOST_WAITING * limit - waited())
    if (left <= 0) patience.abort()
    else end = setTimeout(look, Math.max(left, SHORTEST_WAIT))
  }
  try {
    return await work(patience.signal)
  } catch (error) {
    throw signal?.aborted ? signal.reason : refusalFor(error, message)
  } finally {
    clearTimeout(end)
    signal?.removeEventListener('abort', giveUp)
    // A task that was ended leaves nothing, also if it waited more than it worked.
    const left = patience.signal.aborted ? 0 : limit - used()
    budget.left = milliseconds(Math.max(0, left))
  }
}

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
