import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { TEST_PASSWORD } from '#tests/support/authorities/test-authority.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'
import { aFolder, PASSWORD_VARIABLE, rubrica } from '#tests/support/processes/command-line.ts'

/* A copy of the project, whose sources can be changed. Each bundle takes a second or two to make. */
vi.setConfig({ testTimeout: 60_000 })

const ROOT = path.resolve(import.meta.dirname, '../../..')
const SENTENCE = 'Falta el archivo que se debe verificar.'
let project: string
const placeOf = (file: string) => path.join(project, file)
const BUNDLE = 'build/cli/frequent.cjs'

beforeAll(() => {
  project = mkdtempSync(path.join(tmpdir(), 'rubrica-bundle-'))
  for (const name of [
    'server',
    'package.json',
    'package-lock.json',
    '.npmrc',
    'vite.cli.config.ts',
  ])
    cpSync(path.join(ROOT, name), placeOf(name), { recursive: true })
  mkdirSync(placeOf('node_modules'))
  for (const name of readdirSync(path.join(ROOT, 'node_modules')))
    if (name !== '.cache')
      symlinkSync(path.join(ROOT, 'node_modules', name), placeOf(`node_modules/${name}`))
})
afterAll(() => rmSync(project, { recursive: true }))

beforeEach(() => {
  rmSync(placeOf('build'), { recursive: true, force: true })
  for (const name of ['server', 'vite.cli.config.ts'])
    cpSync(path.join(ROOT, name), placeOf(name), { recursive: true })
})

/** As `npm run rubrica` would; without npm, lest anything be installed. */
function launch(folder: string, ...args: string[]) {
  const pinned = placeOf('node_modules/.bin/node')
  const node = existsSync(pinned) ? pinned : process.execPath
  const { status, stdout, stderr } = spawnSync(node, ['server/run.mjs', 'rubrica', ...args], {
    cwd: project,
    encoding: 'utf8',
    env: { INIT_CWD: folder, [PASSWORD_VARIABLE]: TEST_PASSWORD, PATH: '' },
  })
  return { status, stdout, complaint: stderr.split('\n')[0] }
}
const complaint = () => launch(project, 'verify').complaint

function change(file: string, from: string, to: string): void {
  const before = readFileSync(placeOf(file), 'utf8')
  expect(before).toContain(from)
  writeFileSync(placeOf(file), before.replaceAll(from, to))
}

describe('a bundle of other sources is not used', () => {
  test('bundle: is built before the first command and used unchanged', () => {
    expect(complaint()).toBe(SENTENCE)
    change(BUNDLE, SENTENCE, 'del paquete')
    expect(complaint()).toBe('del paquete')
  })

  test('a module of it changed', () => {
    expect(complaint()).toBe(SENTENCE)
    change(BUNDLE, SENTENCE, 'del paquete')
    change('server/cli/help.ts', 'Uso:', 'Modo de empleo:')
    expect(complaint()).toBe(SENTENCE)
    expect(readFileSync(placeOf(BUNDLE), 'utf8')).toContain('Modo de empleo:')
  })

  test('a module of it is gone: the sources say so', () => {
    expect(complaint()).toBe(SENTENCE)
    rmSync(placeOf('server/cli/describe-report.ts'))
    const { status, complaint: said } = launch(project, 'verify')
    expect([status, said]).not.toEqual([2, SENTENCE])
  })

  test('bundle: the sources run if it cannot be written', () => {
    expect(complaint()).toBe(SENTENCE)
    change('server/cli/verify.ts', SENTENCE, 'otra frase')
    writeFileSync(placeOf('vite.cli.config.ts'), 'throw new Error()')
    expect(complaint()).toBe('otra frase')
    expect(readdirSync(placeOf('build/cli'))).toEqual(['frequent.cjs'])
  })

  test('bundle: the leftover of a killed build is removed', () => {
    const { pid: ended } = spawnSync(process.execPath, ['--version'])
    const folders = [`${ended}.tmp`, `${process.pid}.tmp`]
    for (const name of folders) mkdirSync(placeOf(`build/cli/${name}`), { recursive: true })
    expect(complaint()).toBe(SENTENCE)
    // The bundle of a process that still runs stays.
    expect(readdirSync(placeOf('build/cli')).toSorted()).toEqual([folders[1], 'frequent.cjs'])
  })
})

test('bundle: signs and verifies as the sources do', async () => {
  const folder = await aFolder({ 'acta.pdf': pdfWithTable(bodiesWithPages(1)) })
  const key = ['--cer', 'ana.cer', '--key', 'ana.key', '--key-password-env', PASSWORD_VARIABLE]
  const signed = launch(
    folder,
    'sign',
    ...key,
    '--trust',
    'ac',
    'acta.pdf',
    '-o',
    'firmada.pdf',
    '--offline',
  )
  expect(signed).toEqual({
    status: 0,
    stdout:
      'No se preguntó si su certificado fue revocado, por --offline.\nfirmada.pdf: firmado por ANA MARÍA MUÑOZ LÓPEZ (RFC MULA800101AB1).\n',
    complaint: '',
  })
  const order = ['verify', '--json', '--offline', '--trust', 'ac', 'firmada.pdf', 'acta.pdf']
  const { status, stdout } = launch(folder, ...order)
  expect(existsSync(placeOf(BUNDLE))).toBe(true)
  const { output, status: expected } = rubrica(folder, ...order)
  expect(stdout.trimEnd().split('\n')).toEqual(output)
  expect(status).toBe(expected)
})

test('bundle: explains a command as the sources do', () => {
  const { status, stdout, complaint } = launch(project, 'verify', '--help')
  expect([status, complaint]).toEqual([0, ''])
  expect(existsSync(placeOf(BUNDLE))).toBe(true)
  const { output } = rubrica(project, 'verify', '--help')
  expect(stdout.split('\n').filter((line) => line !== '')).toEqual(output)
})

test('bundle: other commands run from the sources', () => {
  expect(launch(project, 'trust').status).toBe(2)
  expect(launch(project, 'nada').complaint).toBe('No existe el comando “nada”.')
})
