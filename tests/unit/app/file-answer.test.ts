import { expect, test } from 'vitest'
import { requestedRange } from '#app/http/byte-range-request.ts'
import { archiveAnswer, attachment, fileAnswer } from '#app/http/file-answer.ts'

test.each([
  [null, 'whole'],
  ['bytes=0-4', { start: 0, end: 5 }],
  ['bytes=5-', { start: 5, end: 10 }],
  ['bytes=-3', { start: 7, end: 10 }],
  ['bytes=-30', { start: 0, end: 10 }],
  ['bytes=8-99', { start: 8, end: 10 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=4-2', 'whole'],
  ['bytes=0-1,3-4', 'whole'],
  ['bytes=-', 'whole'],
  ['lines=1-2', 'whole'],
] as const)('%s of ten bytes', (header, expected) => {
  expect(requestedRange(header, 10)).toEqual(expected)
})

test('a name keeps its letters, and has a plain twin', () => {
  expect(attachment(`Poder "general" de Ñúñez & Cía (1*).pdf`)).toBe(
    `attachment; filename="Poder _general_ de Nunez & Cia (1*).pdf"; ` +
      `filename*=UTF-8''Poder%20%22general%22%20de%20%C3%91%C3%BA%C3%B1ez%20%26%20C%C3%ADa%20%281%2A%29.pdf`,
  )
})

const bytes = new TextEncoder().encode('0123456789')
const file = {
  name: 'a.pdf',
  type: 'application/pdf',
  size: bytes.length,
  sha256: 'ab',
  stream: (start: number, end: number) => new Blob([bytes.slice(start, end)]).stream(),
}
const ask = (headers: Record<string, string>) =>
  fileAnswer(new Request('http://localhost/', { headers }), file)

test('a file is sent whole: its name, type, size and digest, cached by the browser alone', async () => {
  const answer = await ask({})
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toEqual({
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'content-disposition': attachment('a.pdf'),
    'content-length': '10',
    'content-type': 'application/pdf',
    etag: '"ab"',
    'x-robots-tag': 'noindex',
  })
  expect(await answer.text()).toBe('0123456789')
})

test('a HEAD request gets the headers, and opens no file', async () => {
  const request = new Request('http://localhost/', { method: 'HEAD' })
  const stream = () => expect.unreachable('the file was opened')
  const answer = await fileAnswer(request, { ...file, stream })
  expect([answer.status, answer.headers.get('Content-Length')]).toEqual([200, '10'])
  expect(answer.body).toBeNull()
})

test('a stretch is answered with 206 and its place', async () => {
  const answer = await ask({ Range: 'bytes=2-4' })
  expect([answer.status, answer.headers.get('Content-Range')]).toEqual([206, 'bytes 2-4/10'])
  expect(answer.headers.get('Content-Length')).toBe('3')
  expect(await answer.text()).toBe('234')
})

test('a stretch of another file than the one begun is the whole file', async () => {
  const answer = await ask({ Range: 'bytes=2-4', 'If-Range': '"older"' })
  expect([answer.status, await answer.text()]).toEqual([200, '0123456789'])
})

test('a stretch outside the file is 416', async () => {
  const answer = await ask({ Range: 'bytes=10-' })
  expect([answer.status, answer.headers.get('Content-Range')]).toEqual([416, 'bytes */10'])
})

const archive = { bytes: 3, stream: () => new Blob(['zip']).stream() }
const answerTo = (method: string) =>
  archiveAnswer(new Request('http://localhost/', { method }), 'evidencia 1.zip', archive)

test('archive: is downloaded under its name, and kept by no cache', async () => {
  const answer = answerTo('GET')
  expect(await answer.text()).toBe('zip')
  expect(answer.headers.get('Content-Type')).toBe('application/zip')
  expect(answer.headers.get('Content-Disposition')).toContain('evidencia 1.zip')
  expect(answer.headers.get('Cache-Control')).toBe('no-store')
})

test('archive: a question about it gets its length and nothing of it', () => {
  const answer = answerTo('HEAD')
  expect(answer.body).toBeNull()
  expect(answer.headers.get('Content-Length')).toBe('3')
})
