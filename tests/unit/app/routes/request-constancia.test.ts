import { expect, test } from 'vitest'
import { loader } from '#app/routes/documents/request-constancia.ts'

const locationFor = (id: string) => loader({ params: { id } } as never).headers.get('Location')

test('constancia: a GET redirects to the document, whatever characters its id has', () => {
  expect(locationFor('42')).toBe('/dashboard/documents/42')
  expect(locationFor('１\u2028\0/../x')).toBe(
    `/dashboard/documents/${encodeURIComponent('１\u2028\0/../x')}`,
  )
})
