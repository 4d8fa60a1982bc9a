import { type AtRule, type Declaration, type Node, parse, type Rule } from 'postcss'
import parseSelector from 'postcss-selector-parser'
import { attributeTrait, classTrait, variablesIn } from './page-traits.ts'

/** A style sheet, cut where something may be left out of it. */
export type StyleSheet = readonly Block[]

export type Block =
  | { kind: 'rule'; selectors: readonly Selector[]; declarations: readonly Assignment[] }
  /** Rules under a condition, as `@media`. */
  | { kind: 'group'; opening: string; blocks: readonly Block[] }
  | { kind: 'keyframes'; name: string; text: string; uses: readonly string[] }
  /** Stays as it is. */
  | { kind: 'verbatim'; text: string; uses: readonly string[] }

/** `needs` are traits: on a page that lacks one of them nothing can match. */
export type Selector = { text: string; needs: readonly string[] }

/** `uses` are the variables and keyframes that the value refers to. */
export type Assignment = { property: string; text: string; uses: readonly string[] }

/** @throws {CssSyntaxError} if it is no style sheet */
export function parseStyleSheet(css: string): StyleSheet {
  return blocksOf(parse(css).nodes)
}

/** The name under which animations refer to keyframes; no variable can have it. */
const keyframesName = (name: string) => `@${name}`

const blocksOf = (nodes: readonly Node[] = []): Block[] => nodes.flatMap((node) => blockOf(node))

function blockOf(node: Node): Block[] {
  switch (node.type) {
    case 'comment':
      return []
    case 'rule':
      return [ruleOf(node as Rule)]
    case 'atrule':
      return [groupOf(node as AtRule)]
    default:
      return [verbatim(node)]
  }
}

function ruleOf(rule: Rule): Block {
  const declarations = rule.nodes.filter((node) => node.type === 'decl')
  // A rule inside a rule: the build resolves them.
  if (rule.some((node) => node.type === 'rule' || node.type === 'atrule')) return verbatim(rule)
  return {
    kind: 'rule',
    selectors: rule.selectors.map((text) => ({ text, needs: needsOf(text) })),
    declarations: declarations.map(assignmentOf),
  }
}

const GROUPS = ['media', 'supports', 'layer', 'container']

function groupOf(atRule: AtRule): Block {
  const { name, params, nodes } = atRule
  if (name === 'keyframes')
    return { kind: 'keyframes', name: keyframesName(params), ...textAndUses(atRule) }
  if (!nodes || !GROUPS.includes(name)) return verbatim(atRule)
  return { kind: 'group', opening: `@${name} ${params}`, blocks: blocksOf(nodes) }
}

const verbatim = (node: Node): Block => ({ kind: 'verbatim', ...textAndUses(node) })

function textAndUses(node: Node) {
  const text = node.toString()
  // A statement, as `@layer a, b`, needs its end; a block has one.
  return { text: text.endsWith('}') ? text : `${text};`, uses: variablesIn(text) }
}

/** An animation names its keyframes anywhere in its value, and may get them from a variable. */
const MAY_NAME_KEYFRAMES = /^(?:-webkit-)?animation|^--/

function assignmentOf(declaration: Declaration): Assignment {
  const { prop, value } = declaration
  const words = MAY_NAME_KEYFRAMES.test(prop) ? (value.match(/[\w-]+/g) ?? []) : []
  return {
    property: prop,
    text: declaration.toString(),
    uses: [...variablesIn(value), ...words.map(keyframesName)],
  }
}

/** The traits without which the selector matches nothing. */
function needsOf(selector: string): string[] {
  const needs = new Set<string>()
  const collect = (parsed: parseSelector.Selector) => {
    for (const node of parsed.nodes) {
      const need = needOf(node)
      if (need) needs.add(need)
      if (parseSelector.isPseudoClass(node) && isOneOfOne(node)) collect(node.first)
    }
  }
  parseSelector((root) => collect(root.first)).processSync(selector)
  return [...needs]
}

function needOf(node: parseSelector.Node): string | undefined {
  if (parseSelector.isClassName(node)) return classTrait(node.value)
  // No page stands in a shadow tree, so none has this trait.
  if (parseSelector.isPseudoClass(node) && node.value === ':host') return node.value
  if (!parseSelector.isAttribute(node) || node.insensitive) return
  if (node.operator === undefined) return attributeTrait(node.attribute)
  if (node.operator === '=') return attributeTrait(node.attribute, node.value)
}

/** Of several alternatives none is needed, and `:not` needs the opposite. */
const isOneOfOne = (pseudo: parseSelector.Pseudo) =>
  (pseudo.value === ':where' || pseudo.value === ':is') && pseudo.nodes.length === 1
