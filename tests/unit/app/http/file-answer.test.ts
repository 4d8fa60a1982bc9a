import { expect, test } from 'vitest'
import { archiveAnswer } from '#app/http/file-answer.ts'

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
