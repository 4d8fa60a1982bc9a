import { type AtRule, type Declaration, type Node, parse, type Rule } from 'postcss'
import parseSelector from 'postcss-selector-parser'
import { attributeTrait, classTrait, variablesIn } from './page-traits.ts'

/** A style sheet in blocks that can be left out separately. */
export type StyleSheet = readonly Block[]

export type Block =
  | { kind: 'rule'; selectors: readonly Selector[]; declarations: readonly Assignment[] }
  /** Rules under a condition, such as `@media`. */
  | { kind: 'group'; opening: string; blocks: readonly Block[] }
  | { kind: 'keyframes'; name: string; text: string; uses: readonly string[] }
  /** Never changed. */
  | { kind: 'verbatim'; text: string; uses: readonly string[] }

/** `needs` are traits: the selector matches nothing on a page that lacks one of them. */
type Selector = { text: string; needs: readonly string[] }

/** `uses` are the variables and keyframes that the value refers to. */
type Assignment = { property: string; text: string; uses: readonly string[] }

/** @throws {CssSyntaxError} for invalid CSS */
export function parseStyleSheet(css: string): StyleSheet {
  return blocksOf(parse(css).nodes)
}

/** The name of keyframes among the used names; no variable can have it. */
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
  // A nested rule: the build should have resolved it.
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
  // A statement such as `@layer a, b` needs a semicolon; a block does not.
  return { text: text.endsWith('}') ? text : `${text};`, uses: variablesIn(text) }
}

/** Properties that may name keyframes: an animation, anywhere in its value, or a variable that it uses. */
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

/** The traits that the selector requires. */
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
  // No page is in a shadow tree, so no page has this trait.
  if (parseSelector.isPseudoClass(node) && node.value === ':host') return node.value
  if (!parseSelector.isAttribute(node) || node.insensitive) return
  if (node.operator === undefined) return attributeTrait(node.attribute)
  if (node.operator === '=') return attributeTrait(node.attribute, node.value)
}

/** None of several alternatives is required, and `:not` requires the opposite. */
const isOneOfOne = (pseudo: parseSelector.Pseudo) =>
  (pseudo.value === ':where' || pseudo.value === ':is') && pseudo.nodes.length === 1
