import { expect, test } from 'vitest'
import { pageBefore, safeReturnUrl } from '#app/http/return-url.ts'

const ORIGIN = 'https://rubrica.example'
const returned = (value: string | null) => safeReturnUrl(value, ORIGIN)

test.each([
  '/dashboard/documents',
  '/dashboard/documents?text=acta&state=draft',
  '/verify/document',
])('%s is a page of ours', (value) => expect(returned(value)).toBe(value))

test('an address of 4000 characters is a page of ours, one more is not', () => {
  const long = `/${'a'.repeat(3999)}`
  expect(returned(long)).toBe(long)
  expect(returned(`${long}a`)).toBe('/dashboard')
})

test.each([
  null,
  '',
  '//e.example',
  '/\\e.example',
  '\\/e.example',
  '/%09/e.example',
  '/\t/e.example',
  '/\n/e.example',
  '/\0/e.example',
  '/\x7f/e.example',
  '/ /e.example',
  '/%5Ce.example',
  '/%2fe.example',
  '/.//e.example',
  'https:e.example',
  'https://e.example/',
  'javascript:alert(1)',
  `/${'a'.repeat(4000)}`,
])('%j is not', (value) => expect(returned(value)).toBe('/dashboard'))

test.each([
  [`${ORIGIN}/dashboard?page=2`, '/dashboard?page=2'],
  [`${ORIGIN}.e.example/dashboard`, undefined],
  ['https://e.example/dashboard', undefined],
  ['', undefined],
])('the page before %j is %j', (referrer, page) => {
  const request = new Request(ORIGIN, { headers: { Referer: referrer } })
  expect(pageBefore(request, ORIGIN)).toBe(page)
})
