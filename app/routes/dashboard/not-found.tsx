export const meta = () => [{ title: 'Página no encontrada · Rúbrica' }]

export const handle = { hydrate: true }

/** An unknown path below /dashboard: shows the error inside the menus. */
export function loader() {
  throw new Response(null, { status: 404 })
}

export const action = loader

export default function NotFound() {
  return null
}
