import { readFileSync } from 'node:fs'
import path from 'node:path'
import { runInNewContext } from 'node:vm'
import type { Page } from '@playwright/test'
import { expect, test } from '#tests/e2e/support/fixtures.ts'

/*
 * Pages that do not hydrate carry the part of their style sheets that can match them. Here they get the
 * whole, and no element may look different for it.
 */

const BUILD = path.resolve(import.meta.dirname, '../../../build')

type Routes = Record<string, { parentId?: string; css?: string[] }>

/** From the server's manifest: that of the browser knows hydrated pages only. */
function stylesOf(leaf: string): string {
  const server = readFileSync(path.join(BUILD, 'server/index.js'), 'utf8')
  const [, manifest] = /server_manifest_default = (\{.*?\n\});/s.exec(server) ?? []
  const { routes }: { routes: Routes } = runInNewContext(`(${manifest})`)
  const hrefs: string[] = []
  for (let id: string | undefined = leaf; id; id = routes[id]?.parentId)
    hrefs.unshift(...(routes[id]?.css ?? []))
  return [...new Set(hrefs)]
    .map((href) => readFileSync(path.join(BUILD, 'client', href), 'utf8'))
    .join('')
}

const LOOKS = [
  { width: 1280, colorScheme: 'light', states: [] },
  { width: 1280, colorScheme: 'dark', states: ['hover', 'active'] },
  { width: 390, colorScheme: 'light', states: ['focus', 'focus-visible', 'focus-within'] },
] as const

const NOWHERE = '/verify/3f2c8a52-5a3c-4a56-9d0c-0d8e7a3a1c11'
const PAGES: readonly [address: string | 'deed' | 'signing', leaf: string][] = [
  ['/', 'routes/public/home'],
  ['/login', 'routes/auth/login'],
  ['/verify/document', 'routes/verification/verify-document'],
  ['/verify/document?code=AAAA', 'routes/verification/verify-document'],
  ['/verify/document?code=9N6M-TKAD-9N6M-TKA8', 'routes/verification/verify-document'],
  [NOWHERE, 'routes/verification/verify'],
  ['deed', 'routes/verification/verify'],
  ['signing', 'routes/signing/one/sign'],
  ['/nada', 'routes/public/not-found'],
]

for (const [address, leaf] of PAGES)
  test(`page styles: ${address} looks the same as with the full style sheets`, async ({
    page,
    signedDeed,
    uploadedDeed,
    signedInAs,
  }) => {
    test.slow()
    const whole = stylesOf(leaf)
    if (address === 'signing') await signedInAs('titular')
    const place =
      address === 'deed'
        ? `/verify/${(await signedDeed()).id}`
        : address === 'signing'
          ? `/dashboard/documents/${(await uploadedDeed()).id}/sign`
          : address
    for (const { width, colorScheme, states } of LOOKS) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.goto(place, { waitUntil: 'networkidle' })
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true
      })
      await force(page, states)
      expect(await differencesTo(page, whole)).toEqual([])
    }
  })

/** Puts every element into the given states, as by mouse and keyboard. */
async function force(page: Page, states: readonly string[]) {
  if (states.length === 0) return
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('DOM.enable')
  await devtools.send('CSS.enable')
  const { root } = await devtools.send('DOM.getDocument')
  const { nodeIds } = await devtools.send('DOM.querySelectorAll', {
    nodeId: root.nodeId,
    selector: '*',
  })
  for (const nodeId of nodeIds)
    await devtools.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses: [...states] })
}

/** The computed styles that change, for any element or generated content, when the page gets these styles. */
function differencesTo(page: Page, css: string): Promise<string[]> {
  return page.evaluate(async (whole) => {
    // Styles of a pseudo-element that does not exist have no effect.
    const isThere = (element: Element, part: string | null, style: CSSStyleDeclaration) => {
      if (part === '::before' || part === '::after') return style.content !== 'none'
      if (part === '::placeholder') return element.matches('input, textarea')
      return part !== '::marker' || getComputedStyle(element).display === 'list-item'
    }
    // A variable to which nothing refers may be missing: it has no look.
    const properties = [...getComputedStyle(document.body)].filter((one) => !one.startsWith('--'))
    const looks = () =>
      [...document.querySelectorAll('html, body, body *')].flatMap((element) =>
        [null, '::before', '::after', '::placeholder', '::marker'].flatMap((part) => {
          const style = getComputedStyle(element, part)
          const name = `${element.tagName} ${element.className} ${part ?? ''}`
          if (!isThere(element, part, style)) return [`${name} is not there`]
          return properties.map((one) => `${name} ${one}: ${style.getPropertyValue(one)}`)
        }),
      )
    const settled = async () => {
      await new Promise((resolve) => requestAnimationFrame(resolve))
      await Promise.all(document.getAnimations().map((animation) => animation.finished))
    }
    await settled()
    const before = looks()
    const style = document.querySelector('style')
    const rules = () => style?.sheet?.cssRules.length ?? 0
    const few = rules()
    if (style) style.textContent = whole
    if (rules() <= few) return ['the whole style sheets were not taken']
    await settled()
    const after = looks()
    return before.filter((look, index) => look !== after[index]).slice(0, 10)
  }, css)
}
