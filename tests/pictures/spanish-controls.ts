import type { CDPSession, Page } from '@playwright/test'

type Node = { nodeId: number; nodeName: string; children?: Node[]; shadowRoots?: Node[] }

/** Chromium's own words, in the order in which a control shows them, and those of a browser in Spanish (México). */
const WORDS: Record<string, string> = {
  'Choose File': 'Elegir archivo',
  'Choose Files': 'Elegir archivos',
  'No file chosen': 'Sin archivos seleccionados',
  mm: 'dd',
  dd: 'mm',
  yyyy: 'aaaa',
}

/**
 * Gives the controls for files and dates the words that a browser in Spanish has: the Chromium of most servers comes in
 * English only, and the page has no part in these words.
 */
export async function speakSpanish(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const { root } = await devtools.send('DOM.getDocument', { depth: -1, pierce: true })
  const controls = below(root).filter(({ nodeName }) => nodeName === 'INPUT')
  for (const control of controls)
    for (const inner of (control.shadowRoots ?? []).flatMap(below)) await translate(devtools, inner)
  await devtools.detach()
}

const below = (node: Node): Node[] => [
  node,
  ...[...(node.children ?? []), ...(node.shadowRoots ?? [])].flatMap(below),
]

async function translate(devtools: CDPSession, { nodeId }: Node): Promise<void> {
  const { object } = await devtools.send('DOM.resolveNode', { nodeId })
  if (!object.objectId) return
  await devtools.send('Runtime.callFunctionOn', {
    objectId: object.objectId,
    arguments: [{ value: WORDS }],
    functionDeclaration: `function (words) {
      if (this.value in words) this.value = words[this.value]
      if (this.nodeType === Node.TEXT_NODE && this.data in words) this.data = words[this.data]
    }`,
  })
}
