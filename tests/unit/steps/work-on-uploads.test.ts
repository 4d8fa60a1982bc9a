import { describe, expect, test } from 'vitest'
import type { UnseenContent } from '#server/domain/pdf/unseen-content.ts'
import { Problem, type ProblemCode } from '#server/domain/problem.ts'
import type { PdfWork } from '#server/ports/pdf-work.ts'
import { inspectUpload } from '#server/steps/judgements/inspect-upload.ts'
import { onceMore } from '#server/steps/judgements/once-more.ts'

const FILE = { path: '/recibido.pdf', length: 1, fileKey: null }
const LATE = new Problem('pdf-too-complex', 'took too long', { kind: 'timed-out' })

/** Work that ends in these ways, one after the other; an error is thrown. */
function inTurn(...ends: unknown[]) {
  const calls: unknown[][] = []
  const work = async (...given: unknown[]) => {
    const end = ends[calls.push(given) - 1]
    if (end instanceof Error) throw end
    return end
  }
  return { work, calls }
}

const workersWith = (inspect: unknown, picture: unknown) =>
  ({ inspect, picture }) as unknown as PdfWork

describe('work of a PDF worker', () => {
  test('is repeated once if it ran out of time', async () => {
    const { work, calls } = inTurn(LATE, 'done')
    expect(await onceMore(work)).toBe('done')
    expect(calls).toHaveLength(2)
  })

  test('is not repeated a second time', async () => {
    const { work, calls } = inTurn(LATE, LATE, 'done')
    await expect(onceMore(work)).rejects.toBe(LATE)
    expect(calls).toHaveLength(2)
  })

  test.each([
    ['a refusal of the file', new Problem('pdf-too-complex', 'too many objects')],
    ['an error that is no problem', Object.assign(new Error('gone'), { kind: 'timed-out' })],
  ])('is not repeated after %s', async (_, error) => {
    const { work, calls } = inTurn(error, 'done')
    await expect(onceMore(work)).rejects.toBe(error)
    expect(calls).toHaveLength(1)
  })
})

describe('inspection of an upload', () => {
  const unseen: UnseenContent[] = ['layers']
  const inspected = { signatures: 0, unseen }

  test('finds what the inspection found if the first page can be drawn', async () => {
    const picture = inTurn('png')
    const pdf = workersWith(inTurn(inspected).work, picture.work)
    expect(await inspectUpload(pdf, FILE)).toEqual({ ...inspected, findings: unseen })
    expect(picture.calls).toMatchObject([[FILE, { page: 1 }, {}]])
  })

  test.each<ProblemCode>([
    'too-large',
    'not-found',
    'damaged-pdf',
    'encrypted-pdf',
    'not-a-pdf',
    'pdf-too-complex',
  ])('adds not-drawable if drawing is refused as %s', async (code) => {
    const pdf = workersWith(inTurn(inspected).work, inTurn(new Problem(code, 'no')).work)
    const { findings } = await inspectUpload(pdf, FILE)
    expect(findings).toEqual([...unseen, 'not-drawable'])
  })

  test('adds not-drawable if drawing ran out of time twice', async () => {
    const pdf = workersWith(inTurn(inspected).work, inTurn(LATE, LATE, 'png').work)
    expect((await inspectUpload(pdf, FILE)).findings).toEqual([...unseen, 'not-drawable'])
  })

  test('says nothing about the file if drawing ran out of time once', async () => {
    const pdf = workersWith(inTurn(inspected).work, inTurn(LATE, 'png').work)
    expect((await inspectUpload(pdf, FILE)).findings).toEqual(unseen)
  })

  test.each([
    ['a problem of the moment', new Problem('verification-busy', 'many wait')],
    ['an error that is no problem', Object.assign(new Error('bug'), { code: 'too-large' })],
  ])('fails with %s', async (_, error) => {
    const pdf = workersWith(inTurn(inspected).work, inTurn(error).work)
    await expect(inspectUpload(pdf, FILE)).rejects.toBe(error)
  })

  test('fails with the refusal of the inspection', async () => {
    const refusal = new Problem('not-a-pdf', 'no header')
    const pdf = workersWith(inTurn(refusal).work, inTurn('png').work)
    await expect(inspectUpload(pdf, FILE)).rejects.toBe(refusal)
  })
})
