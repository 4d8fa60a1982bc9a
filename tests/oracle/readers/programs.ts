import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Look } from '#tests/oracle/look.ts'
import { JUDGES, type Judge } from '#tests/support/machine.ts'

/** The program exited with a fault, or did not end. */
export class Refusal extends Error {
  /** What it printed before. */
  readonly printed: Buffer

  constructor(message: string, printed: Buffer = Buffer.alloc(0)) {
    super(message)
    this.printed = printed
  }
}

const MOST_BYTES = 512 << 20
const PATIENCE_MS = 60_000

/**
 * What the program prints.
 *
 * @throws {Refusal} if it fails
 * @throws {Error} if it is not installed: a reader that is absent is not passed over
 */
export function printedBy(program: Judge, args: readonly string[]): Promise<Buffer> {
  const options = { encoding: 'buffer', maxBuffer: MOST_BYTES, timeout: PATIENCE_MS } as const
  return new Promise((resolve, reject) => {
    execFile(program, args, options, (error, printed) => {
      if (!error) resolve(printed)
      else if (error.code === 'ENOENT') reject(missing(program))
      else reject(new Refusal(`${program} ended with ${error.code ?? error.signal}`, printed))
    })
  })
}

const missing = (program: Judge) =>
  new Error(`${program} is not installed: apt-get install ${JUDGES[program]}`)

/**
 * What a program that takes one file prints about each of them, or why it fails. One shell starts it for all: this
 * process is large, and takes longer to start a program than the program takes to read a file. In the arguments,
 * `FILE` stands for the file.
 *
 * @throws {Error} if it is not installed
 */
export function printedByEach(
  [program, ...args]: readonly [Judge, ...string[]],
  files: readonly string[],
): Promise<(Buffer | Refusal)[]> {
  const words = [program, ...args].map((word) => (word === 'FILE' ? '"$file"' : `'${word}'`))
  const script = `folder=$1; shift; at=0
    for file do
      timeout ${PATIENCE_MS / 1000} ${words.join(' ')} > "$folder/$at.out" 2> /dev/null
      echo $? > "$folder/$at.status"; at=$((at + 1))
    done`
  return inFolder(async (folder) => {
    await new Promise<void>((resolve, reject) => {
      execFile('/bin/sh', ['-c', script, 'sh', folder, ...files], (error) =>
        error ? reject(error) : resolve(),
      )
    })
    return files.map((_, at) => {
      const status = Number(readFileSync(path.join(folder, `${at}.status`), 'utf8'))
      if (status === NOT_FOUND) throw missing(program)
      const printed = readFileSync(path.join(folder, `${at}.out`))
      return status === 0 ? printed : new Refusal(`${program} ended with ${status}`, printed)
    })
  })
}

/** Of a shell, for a program. */
const NOT_FOUND = 127

/**
 * Looks at all files with one call, because a program takes longer to start than to read a file. If the call fails,
 * each half is tried by itself, down to the file that makes it fail.
 */
export async function lookAtAll(
  files: readonly string[],
  look: (files: readonly string[]) => Promise<Look[]>,
): Promise<Look[]> {
  if (files.length === 0) return []
  try {
    return await look(files)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (files.length === 1) return [{ refusal: error.message }]
    const half = files.length >> 1
    const first = await lookAtAll(files.slice(0, half), look)
    return [...first, ...(await lookAtAll(files.slice(half), look))]
  }
}

/** Runs `use` with a folder that is removed afterwards. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-oracle-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** An attribute's or an element's text, as XML means it. */
export const fromXml = (text: string) =>
  text.replace(/&(?:#x([\da-f]+)|(\w+));/gi, (whole, code, name) =>
    code === undefined
      ? (ENTITIES[name] ?? whole)
      : String.fromCodePoint(Number.parseInt(code, 16)),
  )
