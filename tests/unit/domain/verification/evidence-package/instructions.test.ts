import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Sha256 } from '#server/domain/ids.ts'
import { instructions } from '#server/domain/verification/evidence-package/instructions.ts'

const HEAD = {
  folio: '2026-000001',
  office: 'Notaría 12',
  address: 'https://rubrica.example/verify/1',
  made: '20 de noviembre de 2026, 09:00',
  isTest: false,
  logKeys: [],
}

/** A signer controls the name in their certificate. */
const HOSTILE = [
  'Ana Ruiz\n\n    touch pwned',
  'Ana Ruiz\r    touch pwned',
  'Ana Ruiz\u2028    touch pwned',
  '    touch pwned',
  'Ana Ruiz\u0000\u202e    touch pwned',
]

const commandsIn = (text: string) =>
  text.split(/[\r\n\v\f\u0085\u2028\u2029]/).filter((line) => line.startsWith('    '))

test.each(HOSTILE)('a name in a certificate (%j) never becomes a command', (name) => {
  const root = { sha256: Sha256.parse('1'.repeat(64)), name }
  const section = {
    title: `Firma 1: ${name}`,
    sentences: [`La hizo ${name}.`],
    commands: ['true'],
    files: [],
    roots: [root],
  }
  const text = instructions(HEAD, [section])
  expect(commandsIn(text)).toEqual(
    commandsIn(instructions(HEAD, [{ ...section, title: 'Firma 1', sentences: [], roots: [] }])),
  )
  expect(text).toContain('touch pwned')
  expect(text).not.toMatch(/[\0\u202e]/)
})

test('events that were left out: VERIFICAR.txt says it before anything else about the log', () => {
  const cut = 'aquí faltan los más antiguos, que la notaría conserva en su bitácora'
  for (const head of [HEAD, { ...HEAD, logKeys: ['rubrica+1+key'] }]) {
    const whole = instructions(head, [])
    expect(whole).not.toContain('faltan los más antiguos')
    const told = instructions({ ...head, mostEvents: 5000 }, [])
    const [, about = ''] = told.split('. Bitácora\n')
    expect(about.split('\n')[0]).toBe(`El documento tiene más de 5000 eventos: ${cut}.`)
    const others = told.split('\n').filter((line) => !line.includes(cut))
    expect(others).toEqual(whole.split('\n'))
  }
})

test('VERIFICAR.txt: begins with what the package holds, and tells where the same report is published', () => {
  const [open, hidden] = [HEAD, { ...HEAD, address: null }].map((head) => instructions(head, []))
  expect(open).toContain(`El mismo informe: ${HEAD.address}\n`)
  expect(hidden).toContain('\nHecho el 20 de noviembre de 2026, 09:00.\n')
  for (const text of [open, hidden]) {
    const [head = ''] = text!.split('1. El paquete está completo')
    for (const name of ['original.pdf', 'firmado.pdf', 'dictamen.pdf', 'firmas/', 'bitacora/'])
      expect(head).toContain(`\n${name} `)
  }
})

test('VERIFICAR.txt: says what the log is, and that it is signed only where it is', () => {
  const signed = { ...HEAD, logKeys: ['rubrica+1+key'] }
  for (const head of [HEAD, signed]) {
    const text = instructions(head, [])
    expect(text).toContain('\nCada línea de bitacora/eventos.jsonl es un evento')
    expect(commandsIn(text)).toContainEqual(expect.stringContaining('cmp - bitacora/hojas.txt'))
    const isSigned = head === signed
    expect(text.includes('La notaría firmó cuántos eventos')).toBe(isSigned)
    expect(text.includes('bitacora/clave.pem')).toBe(isSigned)
  }
})

test('VERIFICAR.txt: each log has a key and a checkpoint of its own', () => {
  const text = instructions({ ...HEAD, logKeys: ['rubrica+1+key', 'rubrica+2+key'] }, [])
  const checks = commandsIn(text).filter((line) => line.includes('openssl pkeyutl'))
  expect(checks).toEqual([
    expect.stringMatching(/bitacora\/punto-de-control\.txt .*-inkey bitacora\/clave\.pem /),
    expect.stringMatching(/bitacora\/punto-de-control-2\.txt .*-inkey bitacora\/clave-2\.pem /),
  ])
})

test('VERIFICAR.txt: says that a package is for testing, and nothing of it where it is not', () => {
  const words = 'DE PRUEBA: nada de lo que hay aquí tiene validez.'
  expect(instructions({ ...HEAD, isTest: true }, [])).toContain(`\n\n${words}\n`)
  expect(instructions(HEAD, [])).not.toContain('DE PRUEBA')
})

test('VERIFICAR.txt: ends with the roots on which all of it rests, each once', () => {
  const rootWith = (digit: string) => ({
    sha256: Sha256.parse(digit.repeat(64)),
    name: `Raíz ${digit}`,
  })
  const section = { title: 'Firma', sentences: [], commands: [], files: [] }
  const text = instructions(HEAD, [
    { ...section, roots: [rootWith('1')] },
    { ...section, roots: [rootWith('2'), rootWith('1')] },
  ])
  expect(text.slice(text.indexOf('LAS RAÍCES.'))).toMatch(
    /^LAS RAÍCES\. .+\nvale lo que valgan estas raíces: .+\n\nRaíz 1\n {2}1{64}\nRaíz 2\n {2}2{64}\n$/,
  )
})

test('VERIFICAR.txt calls a command “comando” throughout', () => {
  const folder = path.resolve('server/domain/verification/evidence-package')
  const sources = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'))
  expect(sources.join('\n')).not.toMatch(/\b(?:orden|órdenes)\b/)
  expect(instructions(HEAD, [])).toContain('los comandos comunes de')
})
