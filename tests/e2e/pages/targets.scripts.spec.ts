import { uploadDrafts } from '#tests/e2e/support/deeds.ts'
import { expect, test } from '#tests/e2e/support/fixtures.ts'
import { openSession } from '#tests/e2e/support/signing-session.ts'
import {
  ACCOUNT_STOPS,
  DASHBOARD_STOPS,
  PUBLIC_STOPS,
  pathsOfThings,
  stopsOf,
  stopsOfDraft,
} from '#tests/e2e/support/site-map.ts'
import { findThings } from '#tests/e2e/support/things.ts'

// A telephone: no mouse that could point at less than a fingertip.
test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

test('targets: on a telephone everything that is pressed is 44 px high and wide', async ({
  page,
  demo,
  person,
  signedInAs,
  signedDeed,
  uploadedDeed,
}) => {
  test.setTimeout(240_000)
  const deed = await signedDeed()
  const draft = await uploadedDeed()
  // More than one page of them.
  await uploadDrafts(demo.origin, person('CLERK'), 26)
  const [reader, clerk] = [person('titular'), person('CLERK')]
  const things = await findThings({ demo, reader, clerk, signed: deed })
  // Something to sign, so that the batch has rows.
  const waiting = await uploadedDeed()
  const colleague = `${reader.firstName} ${reader.lastName}`
  await openSession(demo.origin, clerk, [waiting], [{ colleague, step: 1 }])
  await signedInAs('titular')
  const all = [...PUBLIC_STOPS, ...DASHBOARD_STOPS, ...stopsOf(deed), ...stopsOfDraft(draft)]
  const small: string[] = []
  for (const path of [
    ...all.map((stop) => stop.path),
    ...pathsOfThings(things),
    ...ACCOUNT_STOPS,
  ]) {
    await page.goto(path)
    for (const target of await page.evaluate(smallTargets)) small.push(`${path}: ${target}`)
  }
  expect(small).toEqual([])
})

/** Describes everything to press that is smaller than 44 px and stands in no sentence (WCAG 2.2, 2.5.5). */
function smallTargets(): string[] {
  const SIDE = 44
  const SELECTOR = 'a[href], button, input:not([type=hidden]), select, textarea, summary'
  const shown = [...document.querySelectorAll<HTMLElement>(SELECTOR)].filter((element) => {
    return element.checkVisibility({ visibilityProperty: true }) && !isClipped(element)
  })
  return shown.filter((element) => !isLarge(element) && !isInSentence(element)).map(describe)

  /** Hit 22 px around its middle: what covers it counts, and what it reaches beyond what is seen. */
  function isLarge(element: HTMLElement): boolean {
    element.scrollIntoView({ block: 'center' })
    const { left, top, width, height } = element.getBoundingClientRect()
    const [x, y] = [left + width / 2, top + height / 2]
    // A pixel may be lost between lines of text.
    const reach = SIDE / 2 - 1
    const aside = width >= SIDE || labelsOf(element).length > 0 ? 0 : reach
    const points: readonly [number, number][] = [
      [x, y - reach],
      [x, y + reach],
      [x - aside, y],
      [x + aside, y],
    ]
    return points.every(([atX, atY]) => {
      const hit = document.elementFromPoint(atX, atY)
      return [element, ...labelsOf(element)].some((one) => one.contains(hit))
    })
  }

  /** Only for screen readers: the head of a list whose rows are cards, for example. */
  function isClipped(element: HTMLElement | null): boolean {
    if (!element) return false
    const { width, height } = element.getBoundingClientRect()
    return width <= 1 || height <= 1 || isClipped(element.parentElement)
  }

  function labelsOf(element: HTMLElement): HTMLElement[] {
    return element instanceof HTMLInputElement && element.labels ? [...element.labels] : []
  }

  function isInSentence(element: HTMLElement): boolean {
    if (!(element instanceof HTMLAnchorElement)) return false
    if (getComputedStyle(element).display !== 'inline') return false
    const block = element.closest('p, li, dd, td, legend, label, div')
    const rest = (block?.textContent ?? '').replace(element.textContent, '')
    return /\p{L}/u.test(rest)
  }

  function describe(element: HTMLElement): string {
    const { width, height } = element.getBoundingClientRect()
    const name = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 40)
    const size = `${Math.round(width)} × ${Math.round(height)}`
    const kind = element instanceof HTMLInputElement ? `input ${element.type} ${element.name}` : ''
    return `${kind || element.tagName.toLowerCase()} «${name}» ${size} [${element.className}]`
  }
}
