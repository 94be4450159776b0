export function ksesPost(text: string): string {
  return text
}
export function ksesData(text: string): string {
  return text
}
