import type { Traits } from './page-traits.ts'
import type { Block, StyleSheet } from './style-sheet.ts'

/** All traits that affect the result of {@link matchingStyles}. */
export function traitsOf(sheet: StyleSheet): Set<string> {
  const traits = new Set<string>()
  for (const { selectors, declarations } of rulesOf(sheet)) {
    for (const { needs } of selectors) for (const trait of needs) traits.add(trait)
    for (const { property } of declarations) if (isVariable(property)) traits.add(property)
  }
  return traits
}

/**
 * The part of a style sheet that can affect a page: rules that may match, and the variables and keyframes that
 * they use.
 */
export function matchingStyles(sheet: StyleSheet, traits: Traits): string {
  const matching = sheet.flatMap((block) => matchingBlock(block, traits))
  const used = namesUsed(matching, traits)
  return matching.map((block) => textOf(block, used)).join('')
}

function matchingBlock(block: Block, traits: Traits): Block[] {
  if (block.kind === 'group') {
    const blocks = block.blocks.flatMap((inner) => matchingBlock(inner, traits))
    return blocks.length > 0 ? [{ ...block, blocks }] : []
  }
  if (block.kind !== 'rule') return [block]
  const selectors = block.selectors.filter(({ needs }) => needs.every((need) => traits.has(need)))
  return selectors.length > 0 ? [{ ...block, selectors }] : []
}

/** The traits, variables and keyframes in use, transitively. */
function namesUsed(blocks: readonly Block[], traits: Traits): Set<string> {
  const used = new Set(traits)
  const behind = new Map<string, string[]>()
  const note = (name: string | undefined, uses: readonly string[]) => {
    if (name) behind.set(name, [...(behind.get(name) ?? []), ...uses])
    else for (const use of uses) used.add(use)
  }
  for (const { property, uses } of rulesOf(blocks).flatMap(({ declarations }) => declarations))
    note(isVariable(property) ? property : undefined, uses)
  for (const block of flat(blocks))
    if (block.kind === 'keyframes') note(block.name, block.uses)
    else if (block.kind === 'verbatim') note(undefined, block.uses)
  // The set grows during the loop: this follows references of references.
  for (const name of used) for (const other of behind.get(name) ?? []) used.add(other)
  return used
}

function textOf(block: Block, used: ReadonlySet<string>): string {
  switch (block.kind) {
    case 'verbatim':
      return block.text
    case 'keyframes':
      return used.has(block.name) ? block.text : ''
    case 'group': {
      const inner = block.blocks.map((one) => textOf(one, used)).join('')
      return inner && `${block.opening}{${inner}}`
    }
    case 'rule': {
      const stays = block.declarations.filter(
        ({ property }) => !isVariable(property) || used.has(property),
      )
      const selectors = block.selectors.map(({ text }) => text).join(',')
      return stays.length > 0 ? `${selectors}{${stays.map(({ text }) => text).join(';')}}` : ''
    }
  }
}

const isVariable = (property: string) => property.startsWith('--')

const flat = (blocks: readonly Block[]): Block[] =>
  blocks.flatMap((block) => (block.kind === 'group' ? flat(block.blocks) : block))

const rulesOf = (blocks: readonly Block[]) => flat(blocks).filter((block) => block.kind === 'rule')
