import type { EntryContext } from 'react-router'
import { expect, test } from 'vitest'
import { sharedPageOf } from '#app/http/shared-page.ts'

type Page = {
  address?: string
  method?: string
  status?: number
  isShared?: boolean
  root?: object
  page?: unknown
  actionData?: object
  errors?: object
}

const ROOT = { csrf: 'token-1', person: null, flash: null, resumedPath: null }

function shared(page: Page, nonce = 'nonce-1') {
  const { address = '/', method = 'GET', status = 200, isShared = true } = page
  const context = {
    staticHandlerContext: {
      loaderData: { root: { ...ROOT, ...page.root }, page: page.page ?? { title: 'Inicio' } },
      actionData: page.actionData ?? null,
      errors: page.errors ?? null,
      matches: [{ route: { id: 'root' } }, { route: { id: 'page' } }],
    },
    routeModules: { root: {}, page: { handle: { isShared } } },
  } as unknown as EntryContext
  return sharedPageOf(new Request(`http://localhost${address}`, { method }), status, context, nonce)
}

test('page that is the same for all: visitors differ in nonce and token alone', () => {
  const first = shared({})
  const second = shared({ root: { csrf: 'token-2' } }, 'nonce-2')
  expect(first?.own).toEqual(['nonce-1', 'token-1'])
  expect(second?.own).toEqual(['nonce-2', 'token-2'])
  expect(second?.madeOf).toBe(first?.madeOf)
  expect(first?.madeOf).not.toMatch(/nonce|token-/)
})

test('page without a token: is another page, with its nonce alone', () => {
  const page = shared({ root: { csrf: '' } })
  expect(page?.own).toEqual(['nonce-1'])
  expect(page?.madeOf).not.toBe(shared({})?.madeOf)
})

test.each([
  ['another address', { address: '/sign' }],
  ['other data', { page: { title: 'Otra' } }],
  ['another theme', { root: { theme: 'dark' } }],
])('%s: is another page', (_, page) => {
  expect(shared(page)?.madeOf).not.toBe(shared({})?.madeOf)
})

test.each([
  ['page that is not declared as shared', { isShared: false }],
  ['answer to a form', { method: 'POST' }],
  ['page with a query', { address: '/?returnUrl=1' }],
  ['refusal', { status: 429 }],
  ['page with the result of a form', { actionData: { page: {} } }],
  ['page with an error', { errors: { page: {} } }],
  ['page of a signed-in user', { root: { person: { name: 'Ana' } } }],
  ['page with a message', { root: { flash: 'saved' } }],
  ['page after a form was sent again', { root: { resumedPath: '/login' } }],
])('%s: is not shared', (_, page) => {
  expect(shared(page)).toBeUndefined()
})
