import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { UsageError } from '#server/cli/usage.ts'
import type { Efirma } from '#server/demo/certification-authority.ts'
import {
  TEST_PASSWORD,
  testAuthority,
  testEfirma,
} from '#tests/support/authorities/test-authority.ts'

/** The variable in which tests keep the password of the key. */
export const PASSWORD_VARIABLE = 'RUBRICA_TEST_PASSWORD'

/** A working folder with an e.firma (`ana.cer`, `ana.key`) and the authorities (`ac/`). */
export async function aFolder(files: Record<string, Uint8Array> = {}): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { root, issuing } = await testAuthority()
  mkdirSync(path.join(folder, 'ac'))
  writeFileSync(path.join(folder, 'ac/raiz.cer'), root.der)
  writeFileSync(path.join(folder, 'ac/emisora.cer'), issuing.der)
  putEfirma(folder, 'ana', await testEfirma())
  for (const [name, bytes] of Object.entries(files)) writeFileSync(path.join(folder, name), bytes)
  return folder
}

export function putEfirma(folder: string, name: string, { cer, key }: Efirma): void {
  writeFileSync(path.join(folder, `${name}.cer`), cer)
  writeFileSync(path.join(folder, `${name}.key`), key)
}

export type Said = { status: number; output: string[]; errors: string[] }

/** The command as a function: returns its exit status and its output lines. */
export async function said(command: () => Promise<number>): Promise<Said> {
  const output: string[] = []
  const errors: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((text) => void output.push(String(text)))
  const error = vi
    .spyOn(console, 'error')
    .mockImplementation((text) => void errors.push(String(text)))
  vi.stubEnv(PASSWORD_VARIABLE, TEST_PASSWORD)
  try {
    return { status: await command(), output, errors }
  } catch (problem) {
    if (!(problem instanceof UsageError)) throw problem
    return { status: 2, output, errors: [...errors, problem.message] }
  } finally {
    log.mockRestore()
    error.mockRestore()
    vi.unstubAllEnvs()
  }
}

/** The real process, standing in `folder`; the environment of the server is none of its business. */
export function rubrica(folder: string, ...args: string[]): Said {
  return rubricaWith({ PORT: 'no number' }, folder, ...args)
}

/** The same for a command that reads it. */
export function rubricaWith(
  environment: Record<string, string>,
  folder: string,
  ...args: string[]
): Said {
  const run = spawnSync(process.execPath, ['server/cli/rubrica.ts', ...args], {
    encoding: 'utf8',
    env: {
      ...process.env,
      INIT_CWD: folder,
      ...environment,
      [PASSWORD_VARIABLE]: TEST_PASSWORD,
    },
  })
  const lines = (text: string) => text.split('\n').filter((line) => line !== '')
  return { status: run.status ?? -1, output: lines(run.stdout), errors: lines(run.stderr) }
}
