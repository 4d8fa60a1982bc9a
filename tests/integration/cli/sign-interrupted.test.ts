import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { TEST_PASSWORD } from '#tests/support/authorities/test-authority.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'
import { aFolder, PASSWORD_VARIABLE } from '#tests/support/processes/command-line.ts'

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s in the midst of signing leaves nothing',
  async (signal) => {
    const folder = await aFolder({ 'acta.pdf': pdfWithTable(bodiesWithPages(1)) })
    // Asked for a time stamp once the file is copied; it never answers.
    const authority = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void authority.close())
    await once(authority, 'listening')
    const { port } = authority.address() as AddressInfo
    const order = [
      ...['sign', '--cer', 'ana.cer', '--key', 'ana.key', '--key-password-env', PASSWORD_VARIABLE],
      ...['--tsa', `http://127.0.0.1:${port}`, '--trust', 'ac', 'acta.pdf', '-o', 'firmada.pdf'],
    ]
    const before = readdirSync(folder)
    const signing = spawn(process.execPath, ['server/cli/rubrica.ts', ...order], {
      env: { ...process.env, INIT_CWD: folder, [PASSWORD_VARIABLE]: TEST_PASSWORD },
    })
    await once(authority, 'request')
    expect(readdirSync(folder)).toHaveLength(before.length + 1)
    signing.kill(signal)
    expect(await once(signing, 'exit')).toEqual([null, signal])
    expect(readdirSync(folder)).toEqual(before)
  },
)
