import { expect, test } from 'vitest'
import { noIndex, noStore, notIndexed } from '#app/http/page-headers.ts'

type Args = Parameters<typeof noStore>[0]

const headersOf = (headers: ReturnType<typeof noStore>) =>
  Object.fromEntries(new Headers(headers as HeadersInit))

const args = (action: HeadersInit, loader: HeadersInit = {}) =>
  ({ actionHeaders: new Headers(action), loaderHeaders: new Headers(loader) }) as Args

test('page with secrets: is not stored, and says after a refusal how long to wait', () => {
  expect(headersOf(noStore(args({})))).toEqual({ 'cache-control': 'no-store' })
  expect(headersOf(noStore(args({ 'Retry-After': '30' }, { 'Retry-After': '9' })))).toEqual({
    ...{ 'cache-control': 'no-store', 'retry-after': '30' },
  })
})

test('public page with a form: is not indexed, and says how long to wait after a refusal of form or page', () => {
  const noindex = { 'x-robots-tag': 'noindex' }
  expect(headersOf(notIndexed(args({})))).toEqual(noindex)
  expect(headersOf(notIndexed(args({}, { 'Retry-After': '9' })))).toEqual({
    ...noindex,
    'retry-after': '9',
  })
  expect(headersOf(notIndexed(args({ 'Retry-After': '30' }, { 'Retry-After': '9' })))).toEqual({
    ...noindex,
    'retry-after': '30',
  })
})

test('page out of the index: keeps its other headers', () => {
  expect(headersOf(noIndex({ Location: '/' }))).toEqual({
    ...{ location: '/', 'x-robots-tag': 'noindex' },
  })
})
