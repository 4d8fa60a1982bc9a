import { bare, isNode, type Node, part } from './syntax.ts'

/*
 * The small changes that are tried. Each is a mistake that a programmer makes: a limit off by one, a condition that is
 * forgotten or turned around, a call that is missing. Texts for people and for the log, regular expressions and plain
 * numbers are not changed: most such changes are no mistakes.
 */

/** A replacement of a part of the source. */
export type Change = { operator: string; node: Node; text: string }

/** Where a node stands. */
export type Place = {
  parent: Node | undefined
  /** Name of the property of the parent that holds it. */
  as: string
  /** Whether an optional chain (`a?.b.c`) goes on behind it; the chain may only be replaced as a whole. */
  isInChain: boolean
  text(node: Node): string
}

/** Its changes, without those of the nodes in it. */
export function changesOf(node: Node, place: Place): Change[] {
  const change = (operator: string, text: string): Change => ({ operator, node, text })
  switch (node.type) {
    case 'BinaryExpression':
      return [...binary(node, place, change), ...asPredicate(node, place, change)]
    case 'LogicalExpression':
      return [...logical(node, place, change), ...asPredicate(node, place, change)]
    case 'UnaryExpression':
      return node.operator === '!'
        ? [change('not', place.text(part(node, 'argument'))), ...asCondition(node, place, change)]
        : []
    case 'UpdateExpression':
      return [
        change(
          'step',
          place.text(node).replace(/\+\+|--/, (found) => STEPS[found] ?? ''),
        ),
      ]
    case 'AssignmentExpression':
      return assignment(node, place, change)
    case 'Literal':
      return literal(node, place, change)
    case 'ArrayExpression':
      return elements(node, place, change)
    case 'CallExpression':
      return [...call(node, place, change), ...asCondition(node, place, change)]
    case 'ExpressionStatement':
      return isEffect(node) ? [change('statement', '')] : []
    case 'ThrowStatement':
      return [change('refusal', '')]
    case 'Identifier':
    case 'MemberExpression':
    case 'ChainExpression':
    case 'AwaitExpression':
      return asCondition(node, place, change)
    default:
      return []
  }
}

type Make = (operator: string, text: string) => Change

const STEPS: Record<string, string> = { '++': '--', '--': '++' }

const COMPARED: Record<string, readonly string[]> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
}
const CALCULATED: Record<string, string> = { '-': '+', '*': '/', '/': '*', '%': '*' }

function binary(node: Node, { text }: Place, change: Make): Change[] {
  const operator = String(node.operator)
  const [left, right] = [text(part(node, 'left')), text(part(node, 'right'))]
  const compared = (COMPARED[operator] ?? []).map((other) =>
    change('comparison', `${left} ${other} ${right}`),
  )
  // A sum of texts has no opposite.
  const isSum = operator === '+' && !/['"`]/.test(left + right)
  const other = isSum ? '-' : CALCULATED[operator]
  return other ? [...compared, change('arithmetic', `${left} ${other} ${right}`)] : compared
}

const JOINED: Record<string, string> = { '&&': '||', '||': '&&', '??': '&&' }

function logical(node: Node, { text }: Place, change: Make): Change[] {
  const [left, right] = [text(part(node, 'left')), text(part(node, 'right'))]
  const other = JOINED[String(node.operator)]
  return other ? [change('logic', `(${left}) ${other} (${right})`)] : []
}

/** A condition, or the whole of a short function: always and never. */
function asPredicate(node: Node, place: Place, change: Make): Change[] {
  const isFunction = place.parent?.type === 'ArrowFunctionExpression' && place.as === 'body'
  // Of a sum, `true` would be no mistake.
  const isTruth = node.type === 'LogicalExpression' || String(node.operator) in COMPARED
  if (isFunction && isTruth && node.operator !== '??')
    return [change('always', 'true'), change('never', 'false')]
  return asCondition(node, place, change)
}

function asCondition(_node: Node, { parent, as }: Place, change: Make): Change[] {
  if (as !== 'test' || parent === undefined) return []
  if (/^(?:If|Conditional)/.test(parent.type))
    return [change('always', 'true'), change('never', 'false')]
  // A loop that never ends shows nothing.
  return /^(?:While|For)/.test(parent.type) ? [change('never', 'false')] : []
}

function assignment(node: Node, { text }: Place, change: Make): Change[] {
  const other = { '+=': '-=', '-=': '+=', '??=': '=', '*=': '/=' }[String(node.operator)]
  const [left, right] = [text(part(node, 'left')), text(part(node, 'right'))]
  return other ? [change('assignment', `${left} ${other} ${right}`)] : []
}

/** Properties whose values decide what happens next. */
const DECIDING = /^(?:action|cause|code|kind|level|outcome|reason|result|state|status|verdict)$/

function literal(node: Node, { parent, as }: Place, change: Make): Change[] {
  if (typeof node.value === 'boolean') return [change('boolean', String(!node.value))]
  if (typeof node.value !== 'string' || node.value === '' || !parent) return []
  const isReturned =
    parent.type === 'ReturnStatement' ||
    (parent.type === 'ArrowFunctionExpression' && as === 'body') ||
    (parent.type === 'ConditionalExpression' && as !== 'test')
  const isDeciding =
    parent.type === 'Property' && as === 'value' && DECIDING.test(nameOf(parent.key) ?? '')
  const isCode =
    parent.type === 'NewExpression' &&
    nameOf(parent.callee) === 'Problem' &&
    (parent.arguments as Node[])[0] === node
  return isReturned || isDeciding || isCode ? [change('code', "''")] : []
}

/** Longer lists lose all their elements at once. */
const ONE_BY_ONE = 8

function elements(node: Node, { text }: Place, change: Make): Change[] {
  const all = (node.elements as (Node | null)[]).filter(isNode)
  if (all.length === 0) return []
  if (all.length > ONE_BY_ONE || all.length === 1) return [change('elements', '[]')]
  return all.map((left) => {
    const others = all.filter((one) => one !== left).map(text)
    return change('elements', `[${others.join(', ')}]`)
  })
}

/** A map: `toString` is a property of every object. */
const EXCHANGED = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['min', 'max'],
  ['max', 'min'],
  ['find', 'findLast'],
  ['findLast', 'find'],
])
const LEFT_OUT = new Set([
  ...['filter', 'slice', 'subarray', 'trim', 'toLowerCase', 'toUpperCase'],
  ...['toSorted', 'toReversed', 'normalize'],
])

function call(node: Node, { text, isInChain }: Place, change: Make): Change[] {
  const callee = part(node, 'callee')
  if (callee.type !== 'MemberExpression' || callee.computed || isInChain) return []
  const [receiver, property] = [part(callee, 'object'), part(callee, 'property')]
  const name = nameOf(property) ?? ''
  const other = EXCHANGED.get(name)
  const exchanged = () => {
    const rest = text(node).slice(property.end - node.start)
    return `${text(receiver)}${callee.optional ? '?.' : '.'}${other}${rest}`
  }
  if (other) return [change('method', exchanged())]
  return LEFT_OUT.has(name) ? [change('method', text(receiver))] : []
}

/** Whether something is missing without it; a directive has no effect, and steps are changed by their own operator. */
function isEffect(node: Node): boolean {
  const expression = bare(part(node, 'expression'))
  return !('directive' in node && node.directive) && expression.type !== 'UpdateExpression'
}

const nameOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Identifier' ? String(node.name) : undefined
