import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromHex } from '#server/domain/bytes.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import { ALL_FAMILIES } from '#tests/attacks/all-families.ts'
import { type Attack, outcomeOf } from '#tests/attacks/attack.ts'
import { OTHER_BASES } from '#tests/attacks/other-bases.ts'
import { deedOf, SETTINGS } from '#tests/attacks/settings.ts'
import { signatureText } from '#tests/attacks/signature-text.ts'
import { TEST_NOW, testAuthority } from '#tests/support/authorities/test-authority.ts'
import { judge } from '#tests/support/judges.ts'
import { bytesOf } from '#tests/support/pdf/pdf-builders.ts'
import { testPolicy } from '#tests/support/pdf/signed-pdfs.ts'

/* The verdicts of independent programs on the same files, with the reason for each difference. */

const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-judges-'))
afterAll(() => rmSync(folder, { recursive: true }))
let count = 0
function onDisk(bytes: Uint8Array | string, extension = 'pdf'): string {
  const file = path.join(folder, `${count++}.${extension}`)
  writeFileSync(file, bytes)
  return file
}

const pdfsig = judge('pdfsig')
const qpdf = judge('qpdf')
const mutool = judge('mutool')
const openssl = judge('openssl')

let policy: VerificationPolicy
let anchors: string
beforeAll(async () => {
  policy = await testPolicy()
  const { root, issuing } = await testAuthority()
  const pem = [issuing, root].map(({ der }) => new X509Certificate(der).toString())
  anchors = onDisk(pem.join(''), 'pem')
})

/** Whether pdfsig finds the signed bytes of each signature unchanged. */
function viewOfPdfsig(file: Uint8Array): 'good' | 'bad' | 'none' {
  const { output } = pdfsig('-nocert', onDisk(file))
  const said = [...output.matchAll(/Signature Validation: (.*)/g)].map(([, words]) => words)
  // A document timestamp is no signature to it.
  const found = said.filter((words) => words !== 'Signature has not yet been verified.')
  if (found.length === 0) return 'none'
  return found.every((words) => words === 'Signature is Valid.') ? 'good' : 'bad'
}

describe.each(SETTINGS)('an honest file: $name', (setting) => {
  test('pdfsig, qpdf and mutool find nothing wrong', async () => {
    const { file } = await deedOf(setting)
    expect(outcomeOf(file, policy).verdict).toBe('VALID')
    expect(viewOfPdfsig(file)).toBe('good')
    expect(pdfsig('-nocert', onDisk(file)).output).toContain('Total document signed')
    expect(qpdf('--check', onDisk(file)).status).toBe(0)
    const said = mutool('sign', '-v', onDisk(file)).output
    expect(said).toContain('The document is unchanged since signing.')
    expect(said).not.toMatch(/changed since signing, |[Dd]igest (?:mismatch|does not match)/)
  })

  test('openssl verifies the signed bytes', async () => {
    const { file } = await deedOf(setting)
    const { text, range, contents } = signatureText(file)
    const [, start, end, length] = range.numbers as [number, number, number, number]
    const signed = onDisk(bytesOf(text.slice(0, start) + text.slice(end, end + length)), 'bin')
    const cms = onDisk(fromHex(text.slice(contents.start + 1, contents.end - 1)), 'der')
    const usage = ['-purpose', 'any', '-attime', `${TEST_NOW / 1000}`, '-binary']
    const answer = openssl(
      ...['cms', '-verify', '-inform', 'DER', '-in', cms, '-content', signed],
      ...['-CAfile', anchors, '-out', path.join(folder, 'out'), ...usage],
    )
    expect(answer.errors).toContain('CMS Verification successful')
  })
})

/** pdfsig checks only the bytes of the range; these attacks it does not see, by family. */
const UNSEEN: Record<string, string> = {
  'shadow: hide': 'a later revision is not in the range',
  'shadow: replace': 'a later revision is not in the range',
  'resources of the form': 'a later revision is not in the range',
  'looks of later signatures': 'a later signature covers its own look',
  'looks of texts': 'a later revision is not in the range',
  'entries beside a value': 'a later revision is not in the range',
  'fields that are not filled': 'a later revision is not in the range',
  'looks of boxes': 'a later revision is not in the range',
  'looks of lists': 'a later revision is not in the range',
  'values that are misread': 'a later revision is not in the range',
  'grounds of values': 'a later revision is not in the range',
  'letters of values': 'a later revision is not in the range',
  'codings of looks': 'a later revision is not in the range',
  'formats of values': 'a later revision is not in the range',
  'signs of boxes that are not seen': 'a later revision is not in the range',
  'letters that are cut off': 'a later revision is not in the range',
  'letters that the page cuts off': 'a later revision is not in the range',
  'looks that stay upright on a turned page': 'a later revision is not in the range',
  'looks of signatures that are drawn elsewhere': 'a later signature covers its own look',
  'looks of additions that are drawn elsewhere': 'a later revision is not in the range',
  'boxes that are misread': 'a later revision is not in the range',
  'signatures that are misread': 'a later revision is not in the range',
  'stamps below later signatures': 'a later signature covers its own look',
  'letters below later signatures': 'a later signature covers its own look',
  'outlines below later signatures': 'a later signature covers its own look',
  'transparent ink of later signatures': 'a later signature covers its own look',
  'thin ink of later signatures': 'a later signature covers its own look',
  'letters of signed fonts over what was signed': 'a later signature covers its own look',
  'values in letters of signed fonts': 'a later revision is not in the range',
  'inks of several signatures': 'a later signature covers its own look',
  'emblems over scans': 'a later signature covers its own look',
  'areas over scans': 'a later signature covers its own look',
  'strokes of later signatures over letters': 'a later signature covers its own look',
  'later signatures over earlier ones': 'a later signature covers its own look',
  'numbers that later text makes longer': 'a later revision is not in the range',
  'fields behind inline images': 'a later revision is not in the range',
  'fields over scans': 'a later revision is not in the range',
  'many fields over scans': 'a later revision is not in the range',
  'fields over samples that look alike': 'a later revision is not in the range',
  'fields over parts of scans': 'a later revision is not in the range',
  'fields over odd JPEG pictures': 'a later revision is not in the range',
  'fields over digits of odd instructions': 'a later revision is not in the range',
  'fields over digits of odd colours': 'a later revision is not in the range',
  'fields over shadings': 'a later revision is not in the range',
  'grounds of fields': 'a later revision is not in the range',
  'borders of fields': 'a later revision is not in the range',
  'boxes beside and over numbers': 'a later revision is not in the range',
  'grounds of signature fields': 'a later signature covers its own look',
  'fields on several pages': 'a later revision is not in the range',
  'notes over what was signed': 'a later revision is not in the range',
  'shadow: hide and replace': 'a later revision is not in the range',
  'incremental saving': 'a later revision is not in the range',
  'incremental saving, incomplete': 'what stands after the end is not in the range',
  'incremental saving, buried': 'a later revision is not in the range',
  'universal forgery, signed so': 'any four numbers are a range',
  'signature wrapping': 'the gap is not held against /Contents',
  'signature wrapping, inside /Contents': 'what is no digit is passed over',
  'byte ranges': 'any four numbers are a range',
  'overlay by annotation': 'a later revision is not in the range',
  'overlay by annotation, certified': 'certifications are not looked at',
  'marks of a text that readers draw': 'a later revision is not in the range',
  'annotations changed': 'a later revision is not in the range',
  'sneaky signature fields': 'a later revision is not in the range',
  'sneaky sharing': 'a later revision is not in the range',
  'trailer and catalog swaps': 'a later revision is not in the range',
  'edits of the page tree': 'a later revision is not in the range',
  'tricks with the cross-reference': 'a later revision is not in the range',
  'tricks with fields': 'a later revision is not in the range',
  'values and looks': 'a later revision is not in the range',
  'locked fields': 'locks are not looked at',
  'certified documents': 'certifications are not looked at',
  'called what it is not': 'a later revision is not in the range',
  'repaired by readers: places of sections': 'a later revision is not in the range',
  'repaired by readers: trailers': 'a later revision is not in the range',
  'repaired by readers: rows': 'a later revision is not in the range',
  'repaired by readers: slots': 'a later revision is not in the range',
  'repaired by readers: frames': 'a later revision is not in the range',
  'repaired by readers: objects': 'a later revision is not in the range',
  'references that lead nowhere': 'a later revision is not in the range',
  'rebuilt by readers': 'whether readers find all objects is not looked at',
  'shadow attacks on kept signatures': 'a later revision is not in the range',
}
const SAMPLES = 12
const met = new Set<string>()

/** Some of a family, evenly; all of a small one. */
function sampleOf(attacks: readonly Attack[]): Attack[] {
  const count = Math.min(SAMPLES, attacks.length)
  return Array.from(
    { length: count },
    (_, at) => attacks[Math.floor((at * attacks.length) / count)]!,
  )
}

describe.each([...ALL_FAMILIES, ...OTHER_BASES])('$name', ({ name, attacks }) => {
  test('attacks: pdfsig agrees with every VALID verdict, except in named cases', async () => {
    for (const attack of sampleOf(attacks)) {
      const file = await attack.make()
      const { verdict } = outcomeOf(file, policy)
      const view = viewOfPdfsig(file)
      if (verdict === 'VALID') expect(view, attack.name).toBe('good')
      else if (view === 'good') {
        expect(Object.keys(UNSEEN), attack.name).toContain(name)
        met.add(name)
      }
    }
  })
})

test('every difference that is explained was met', () => {
  expect([...met].sort()).toEqual(Object.keys(UNSEEN).sort())
})
