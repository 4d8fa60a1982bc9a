import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import { SearchCutShort } from '#app/ui/document/search-remarks.tsx'

const shown = (props: Parameters<typeof SearchCutShort>[0]): string => {
  const Stub = createRoutesStub([
    { path: '/', Component: () => createElement(SearchCutShort, props) },
  ])
  return renderToStaticMarkup(createElement(Stub))
}

test('search remarks: where a search goes on is a link in the sentence that says so', () => {
  const page = shown({
    of: 'documentos',
    goOn: 'los anteriores',
    to: '/dashboard/documents?behind=x',
  })
  expect(page).toContain('o siga con <a href="/dashboard/documents?behind=x"')
  expect(page).toContain('>los anteriores</a>.')
})

test('search remarks: in a form with a button for it there is no link', () => {
  const page = shown({ of: 'borradores', goOn: 'los siguientes' })
  expect(page).toContain('o siga con los siguientes.')
  expect(page).not.toContain('<a ')
})
