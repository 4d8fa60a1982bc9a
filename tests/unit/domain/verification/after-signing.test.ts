import { beforeAll, describe, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { appendTable } from '#tests/support/pdf/pdf-builders.ts'
import { type HandSigned, handSigned, sealOf, verified } from '#tests/support/pdf/signed-pdfs.ts'

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
})

const signed = (options: Partial<HandSigned> = {}) =>
  handSigned({ seal: sealOf(efirma), ...options })

describe('changes after a signature', () => {
  const annotate = (file: Uint8Array) =>
    appendTable(file, {
      10: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Resources<</Font<</F1 3 0 R>>>>/Annots[20 0 R 30 0 R]/Contents 11 0 R>>',
      30: '<</Type/Annot/Subtype/Text/Rect[10 10 30 30]/Contents(nota)>>',
    })
  const addNothing = (file: Uint8Array) => appendTable(file, { 40: '(nadie lo mira)' })
  const replacePage = (file: Uint8Array) =>
    appendTable(file, { 11: '<</Length 4>>\nstream\nq Q \nendstream' })
  const certified = (level: number) =>
    `/Reference[<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</Type/TransformParams/P ${level}/V/1.2>>>>]`

  test.each([
    ['nothing that is seen', addNothing, '', 'VALID'],
    ['another page content', replacePage, '', 'INVALID'],
    ['nothing, certified 1', addNothing, certified(1), 'VALID'],
    ['another page content, certified 3', replacePage, certified(3), 'INVALID'],
    ['a note, certified 1', annotate, certified(1), 'INVALID'],
    ['a note, certified 2', annotate, certified(2), 'INVALID'],
  ])('%s', async (_, change, entries, verdict) => {
    const report = await verified(change(await signed({ entries })))
    expect(report.verdict).toBe(verdict)
    expect(report.first.coverage).toBe('ENTIRE_REVISION')
  })

  test('a note is no forgery, and only a certification for notes makes it VALID', async () => {
    const free = await verified(annotate(await signed()))
    expect([free.verdict, free.first.modification]).toEqual(['INDETERMINATE', 'ANNOTATIONS'])
    const allowed = await verified(annotate(await signed({ entries: certified(3) })))
    expect(allowed).toMatchObject({
      verdict: 'VALID',
      first: { modification: 'ANNOTATIONS', docMdp: { level: 3, respected: true } },
    })
  })

  test('two certifications: the stricter one counts', async () => {
    const entries = `${certified(3).slice(0, -1)}${certified(1).slice('/Reference['.length)}`
    const report = await verified(annotate(await signed({ entries })))
    expect(report.verdict).toBe('INVALID')
  })

  test('a revision that leaves the signed one out', async () => {
    const forged = appendTable(await signed(), { 1: '<</Type/Catalog/Pages 2 0 R>>' })
    expect((await verified(forged)).verdict).toBe('INVALID')
  })
})
