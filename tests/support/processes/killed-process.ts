import { type ChildProcess, spawn } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'
import type { PolicyInTransit } from '#server/adapters/pdf-work/policy-in-transit.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import type { RevocationValues } from '#server/domain/revocation/revocation-values.ts'
import type { Instant } from '#server/domain/time.ts'
import type { CompleteSignature } from '#server/features/signatures/complete-signature.ts'
import type { PrepareSignature } from '#server/features/signatures/prepare-signature.ts'
import type { OpenSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const PROGRAM = 'program.mjs'

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
 * Processes that are started in advance: loading takes longer than their act, even from a bundle.
 *
 * @param folder for the bundle and for Node's compile cache
 */
export async function mortalProcesses(folder: string): Promise<{
  run(order: Order): Promise<Trace>
  close(): void
}> {
  await bundle(folder)
  const ready: ChildProcess[] = [start(folder)]
  return {
    run(order) {
      const child = ready.pop() ?? start(folder)
      ready.push(start(folder))
      return traceOf(child, order)
    },
    close() {
      for (const child of ready) child.kill('SIGKILL')
    },
  }
}

/** The program is loaded hundreds of times, from some eight hundred modules. */
async function bundle(folder: string): Promise<void> {
  await build({
    configFile: false,
    root: ROOT,
    publicDir: false,
    logLevel: 'error',
    plugins: [keepPlaces],
    // They load files of their own.
    ssr: { noExternal: true, external: ['better-sqlite3', '@hyzyla/pdfium', 'piscina'] },
    build: {
      ssr: true,
      target: 'node24',
      outDir: folder,
      rollupOptions: {
        input: path.join(import.meta.dirname, 'killed-program.ts'),
        output: { entryFileNames: PROGRAM },
      },
    },
  })
  // Packages that are not in the bundle are found from there.
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
}

/** A module finds the files beside it where they are. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform: (code, id) =>
    code.includes('import.meta.')
      ? code
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
          .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(id)))
      : undefined,
}

const start = (folder: string): ChildProcess =>
  spawn(process.execPath, [path.join(folder, PROGRAM)], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
    env: { ...process.env, NODE_COMPILE_CACHE: path.join(folder, 'compiled') },
  })

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
