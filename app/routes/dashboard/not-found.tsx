export const meta = () => [{ title: 'Página no encontrada · Rúbrica' }]

export const handle = { hydrate: true }

/** A path that the dashboard does not have: the refusal shows inside it. */
export function loader() {
  throw new Response(null, { status: 404 })
}

export const action = loader

export default function NotFound() {
  return null
}
