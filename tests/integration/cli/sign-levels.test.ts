import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { sign } from '#server/cli/sign.ts'
import { instantOf } from '#server/domain/time.ts'
import { stampingAuthority } from '#tests/support/authorities/time-stamps.ts'
import { stampingServer } from '#tests/support/authorities/timestamp-server.ts'
import { judge } from '#tests/support/judges.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'
import { aFolder, PASSWORD_VARIABLE, said } from '#tests/support/processes/command-line.ts'

const KEY = ['--cer', 'ana.cer', '--key', 'ana.key', '--key-password-env', PASSWORD_VARIABLE]
const ORDER = [...KEY, '--trust', 'ac', 'acta.pdf', '-o', 'firmada.pdf']
const now = () => instantOf(Date.now())

const signIn = (folder: string, ...more: string[]) =>
  said(() => sign([...ORDER, ...more], folder, now()))

const aDeed = () => aFolder({ 'acta.pdf': pdfWithTable(bodiesWithPages(1)) })

test('a signature carries the timestamp of the authority that is named', async () => {
  const folder = await aDeed()
  const { url, asked } = await stampingServer(await stampingAuthority(), now)
  expect(await signIn(folder, '--tsa', url)).toMatchObject({ status: 0, errors: [] })
  expect(asked.count).toBe(1)
  const signed = path.join(folder, 'firmada.pdf')
  expect(judge('pdfsig')('-nocert', signed).output).toContain('Signature is Valid')
  // The object identifier of the attribute, in the hexadecimal of /Contents.
  expect(readFileSync(signed, 'latin1')).toContain('060B2A864886F70D010910020E')
})

test('sign: leaves no file if the level is not reached', async () => {
  const folder = await aDeed()
  const { url, stop } = await stampingServer(await stampingAuthority(), now)
  const lta = await signIn(folder, '--tsa', url, '--level', 'B-LTA')
  expect(lta).toMatchObject({ status: 1, errors: [expect.stringContaining('No se alcanzó B-LTA')] })
  stop()
  const down = await signIn(folder, '--tsa', url)
  expect(down).toMatchObject({ status: 1, errors: [expect.stringContaining('no dio el sello')] })
  expect(readdirSync(folder).filter((name) => /firmada|tmp/.test(name))).toEqual([])
})

test.each([
  ['--level', 'B-T'],
  ['--level', 'B-X'],
  ['--tsa', 'ftp://a.example/'],
  ['--tsa', 'https://a.example/', '--tsa-user', 'notaria'],
])('%s %s is no order', async (...more) => {
  const folder = await aDeed()
  expect(await signIn(folder, ...more)).toMatchObject({ status: 2, output: [] })
  expect(readdirSync(folder).filter((name) => /firmada|tmp/.test(name))).toEqual([])
})
