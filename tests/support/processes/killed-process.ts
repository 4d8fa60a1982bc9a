import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import type { PolicyInTransit } from '#server/adapters/pdf-work/policy-in-transit.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import type { RevocationValues } from '#server/domain/revocation/revocation-values.ts'
import type { Instant } from '#server/domain/time.ts'
import type { CompleteSignature } from '#server/features/signatures/complete-signature.ts'
import type { PrepareSignature } from '#server/features/signatures/prepare-signature.ts'
import type { OpenSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'

export type Act =
  | { kind: 'open'; actor: Actor; input: OpenSigningSession }
  | { kind: 'prepare'; actor: Actor; input: PrepareSignature }
  | { kind: 'complete'; actor: Actor; input: CompleteSignature }
  | { kind: 'archive'; documentId: DocumentId }
  | { kind: 'constancias' }

/** The act of a process, its rows and files, and the step at which it is killed. */
export type Order = {
  /** An SQLite file or `postgres://…`. */
  database: string
  /** The folder of the blobs. */
  blobs: string
  now: Instant
  policy: PolicyInTransit
  /** All that authorities say. */
  evidence: RevocationValues
  act: Act
  /** Counts from 0; null to go to the end. */
  killAt: number | null
}

/** The steps that a process reached; it was killed at the last one. */
export type Trace = { steps: string[]; wasKilled: boolean }

/**
 * Processes that are started in advance: loading takes longer than their act.
 *
 * @param cache a folder for Node's compile cache
 */
export function mortalProcesses(cache: string): {
  run(order: Order): Promise<Trace>
  close(): void
} {
  const ready: ChildProcess[] = [start(cache)]
  return {
    run(order) {
      const child = ready.pop() ?? start(cache)
      ready.push(start(cache))
      return traceOf(child, order)
    },
    close() {
      for (const child of ready) child.kill('SIGKILL')
    },
  }
}

const start = (cache: string): ChildProcess =>
  spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', path.join(import.meta.dirname, 'killed-program.ts')],
    {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
      env: { ...process.env, NODE_COMPILE_CACHE: cache },
    },
  )

function traceOf(child: ChildProcess, order: Order): Promise<Trace> {
  const [said, complained]: [string[], string[]] = [[], []]
  child.stdout?.on('data', (chunk) => said.push(String(chunk)))
  child.stderr?.on('data', (chunk) => complained.push(String(chunk)))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      const steps = said.join('').trimEnd().split('\n')
      if (code === 0 || signal === 'SIGKILL') resolve({ steps, wasKilled: signal === 'SIGKILL' })
      else reject(new Error(`it ended with ${code ?? signal}: ${complained.join('')}`))
    })
    child.send(order)
  })
}
