export default function Home() {
  return <h1>Rúbrica</h1>
}
