/** SHA-256 in plain TypeScript: a page that is not served over TLS is given no crypto.subtle. */

const PRIMES = firstPrimes(64);
const ROUND = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

/** The digest of `data`: 32 bytes. */
export function sha256(data: Uint8Array): Uint8Array {
  const length = data.length;
  const padded = new Uint8Array(((length + 72) >> 6) << 6);
  padded.set(data);
  padded[length] = 0x80;
  const bytes = new DataView(padded.buffer);
  bytes.setUint32(padded.length - 8, Math.floor(length / 0x2000_0000));
  bytes.setUint32(padded.length - 4, (length << 3) >>> 0);

  const hash = Int32Array.from(START);
  const words = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) words[i] = bytes.getInt32(block + 4 * i);
    for (let i = 16; i < 64; i++) {
      const far = words[i - 15]!;
      const near = words[i - 2]!;
      const small0 = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3);
      const small1 = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10);
      words[i] = words[i - 16]! + small0 + words[i - 7]! + small1;
    }
    let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const big1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
      const first = (h + big1 + ((e & f) ^ (~e & g)) + ROUND[i]! + words[i]!) | 0;
      const big0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
      const second = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => (hash[i] = hash[i]! + value));
  }
  const digest = new DataView(new ArrayBuffer(32));
  hash.forEach((value, i) => digest.setInt32(4 * i, value));
  return new Uint8Array(digest.buffer);
}

function turn(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by));
}

/** The first 32 bits after the point. */
function fraction(value: number): number {
  return ((value - Math.floor(value)) * 0x1_0000_0000) | 0;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  return primes;
}
