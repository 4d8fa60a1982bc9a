import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import { officeBatch } from '#app/routes/signing/batch/batch-addresses.ts'
import { BatchFrame } from '#app/routes/signing/batch/batch-frame.tsx'
import type { BatchPageView } from '#app/routes/signing/batch/batch-view.ts'

const UNREAD = {
  ...{ id: '0f8fad5b-d9cb-469f-a165-70867728950e', title: 'Poder', folio: '2026-000001' },
  ...{ reason: 'acknowledgement' as const, address: '/dashboard' },
}

/** The page without a document to sign. */
function page(changes: Partial<BatchPageView>): string {
  const view: BatchPageView = {
    ...officeBatch({}),
    ...{ isOneSession: false, sessionTitle: null, signer: 'Ana Muñoz', rfc: 'MULA800101AB1' },
    ...{ zone: 'America/Mexico_City', serverSigning: 'allowed', now: 0, elsewhere: 0 },
    ...{ documents: [], unread: [], moreUnread: 0, more: 0, result: undefined, ...changes },
  }
  const props = { view, most: 50 } as Parameters<typeof BatchFrame>[0]
  const Component = () => createElement(BatchFrame, props)
  return renderToStaticMarkup(createElement(createRoutesStub([{ path: '/', Component }])))
}

test('batch without a document to sign: says how many are to be read first, and how many more there are', () => {
  const text = page({ unread: [UNREAD], moreUnread: 949, more: 100 })
  expect(text).toContain('Hay 949 más: aparecen aquí conforme confirme estos.')
  expect(text).toContain('Faltan 99+ más: aparecen conforme firme los de esta página.')
  expect(text).not.toContain('Ningún documento espera su firma')
})

test('batch without anything more says nothing of more', () => {
  expect(page({ unread: [UNREAD] })).not.toMatch(/Hay \d|Falta/)
  expect(page({})).toContain('Ningún documento espera su firma en este momento.')
})
