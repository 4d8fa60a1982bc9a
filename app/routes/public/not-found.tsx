import { data } from 'react-router'

export function loader() {
  return data(null, 404)
}

export default function NotFound() {
  return <h1>Página no encontrada</h1>
}
