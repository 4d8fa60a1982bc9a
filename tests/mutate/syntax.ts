import { parseSync } from 'vite'

/** A node of the syntax tree, with its place in the source. */
export type Node = {
  type: string
  /** Index of its first character. */
  start: number
  /** Index behind its last character. */
  end: number
  [property: string]: unknown
}

/** Names of the properties whose nodes are types, or names that no expression may replace. */
const NOT_CODE = new Set([
  'typeAnnotation',
  'typeArguments',
  'typeParameters',
  'returnType',
  'superTypeArguments',
  'implements',
  'decorators',
])

/** Types that have an expression inside. */
const TYPED_EXPRESSIONS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSInstantiationExpression',
])

/** @throws {Error} if the source does not parse */
export function programOf(file: string, source: string): Node {
  const { program, errors } = parseSync(file, source)
  const [error] = errors
  if (error) throw new Error(`${file}: ${error.message}`)
  return program as unknown as Node
}

/** Its nodes of code, in the order of the source; types and the sources of imports are not code. */
export function childrenOf(node: Node): { name: string; child: Node }[] {
  if (/^(?:Import|ExportAll)Declaration$/.test(node.type)) return []
  if (node.type.startsWith('TS') && !TYPED_EXPRESSIONS.has(node.type)) return []
  return Object.entries(node)
    .filter(([name]) => !NOT_CODE.has(name))
    .flatMap(([name, value]) => {
      const values = Array.isArray(value) ? value : [value]
      return values.filter(isNode).map((child) => ({ name, child }))
    })
    .toSorted((a, b) => a.child.start - b.child.start)
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

/** The property as a node. */
export function part(node: Node, name: string): Node {
  const value = node[name]
  if (!isNode(value)) throw new Error(`${node.type} has no ${name}`)
  return value
}

/** Without the parentheses around it. */
export const bare = (node: Node): Node =>
  node.type === 'ParenthesizedExpression' ? bare(part(node, 'expression')) : node
