import { type Change, changesOf } from './operators.ts'
import { childrenOf, isNode, type Node, programOf } from './syntax.ts'

/** One small change of one source. */
export type Mutant = {
  /**
   * Names it in the state and in the list of survivors; independent of lines, so that it stays the same when other
   * parts of the file change.
   */
  key: string
  /** Path from the root. */
  file: string
  line: number
  operator: string
  before: string
  after: string
  /** Indexes into the source: the part that is replaced. */
  start: number
  end: number
  /** Whether a whole statement is replaced. */
  isStatement: boolean
  /** Whether it stands outside of all functions: it takes effect when its module is loaded. */
  isAtLoading: boolean
  /** Whether a statement begins with it: in front of a parenthesis it then needs a semicolon. */
  isFirst: boolean
}

/** Where the walk through a source is. */
type Place = { parent?: Node; as: string; within: string; isInFunction: boolean; chain: boolean }

/** All changes of a source, in its order. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const mutants: Mutant[] = []
  const counted = new Map<string, number>()
  const text = (node: Node) => source.slice(node.start, node.end)
  const starts = new Set<number>()
  const add = ({ operator, node, text: after }: Change, at: Place) => {
    const { within, isInFunction } = at
    const before = text(node)
    if (after === before) return
    const name = `${file} ${within}: ${shortened(before)} → ${shortened(after) || 'nothing'}`
    const count = (counted.get(name) ?? 0) + 1
    counted.set(name, count)
    const line = source.slice(0, node.start).split('\n').length
    mutants.push({
      ...{ key: count === 1 ? name : `${name} (${count})`, file, line, operator, before, after },
      ...{ start: node.start, end: node.end, isStatement: node.type.endsWith('Statement') },
      isAtLoading: !isInFunction,
      isFirst: starts.has(node.start),
    })
  }
  const walk = (node: Node, at: Place) => {
    if (node.type === 'ExpressionStatement' && isInBlock(at.parent)) starts.add(node.start)
    const place = { parent: at.parent, as: at.as, isInChain: at.chain, text }
    for (const change of changesOf(node, place)) add(change, at)
    const within = namedIn(node, at.parent) ?? at.within
    const isInFunction = at.isInFunction || /Function/.test(node.type)
    for (const { name, child } of childrenOf(node)) {
      if (isName(node, name)) continue
      const isSpine = /^(?:object|callee|expression)$/.test(name)
      const chain = node.type === 'ChainExpression' || (at.chain && isSpine)
      walk(child, { parent: node, as: name, within, isInFunction, chain })
    }
  }
  const top = { as: 'program', within: 'module', isInFunction: false, chain: false }
  walk(programOf(file, source), top)
  return mutants
}

const isInBlock = (parent: Node | undefined) =>
  parent !== undefined && /^(?:BlockStatement|Program|SwitchCase)$/.test(parent.type)

/** On one line, and no longer than a line. */
function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length <= 100 ? line : `${line.slice(0, 60)} … ${line.slice(-37)}`
}

/** A name that is no expression. */
function isName(node: Node, property: string): boolean {
  if (property === 'label') return true
  if (property === 'key') return !node.computed
  if (property === 'property') return !node.computed
  return property === 'left' && /^(?:Assignment|ForOf|ForIn)/.test(node.type)
}

/** The name of a function, method or constant of the module that begins here. */
function namedIn(node: Node, parent: Node | undefined): string | undefined {
  const isOuter = parent === undefined || /^(?:Program|Export)/.test(parent.type)
  if (/^FunctionDeclaration|ClassDeclaration/.test(node.type)) return idOf(node)
  if (node.type === 'VariableDeclaration' && isOuter)
    return (node.declarations as Node[]).map(idOf).find((name) => name !== undefined)
  return undefined
}

const idOf = ({ id }: Node): string | undefined =>
  isNode(id) && typeof id.name === 'string' ? id.name : undefined
