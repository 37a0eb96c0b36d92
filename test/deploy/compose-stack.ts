import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { until } from '../support/until.js';
import { makeImage } from './images.js';
import { attempt, podman, ulimits } from './podman.js';

type Texts = readonly string[];

/** The fields of a service in compose.yaml that become options of podman. */
interface Fields {
  readonly restart: string;
  readonly cap_drop: Texts;
  readonly cap_add: Texts;
  readonly security_opt: Texts;
  readonly logging: { readonly driver: string; readonly options: Readonly<Record<string, string>> };
  readonly read_only: boolean;
  readonly tmpfs: Texts;
  readonly mem_limit: string;
  readonly shm_size: string;
  readonly pids_limit: number;
  readonly stop_grace_period: string;
  readonly env_file: readonly { readonly path: string }[];
  readonly environment: Readonly<Record<string, string>>;
  readonly networks: Texts;
  readonly volumes: Texts;
  readonly healthcheck: { readonly test?: Texts };
  readonly ports: Texts;
}

type Options = { readonly [Field in keyof Fields]: (value: Fields[Field]) => string[] };

interface Service extends Partial<Fields> {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly args: Readonly<Record<string, string>> };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly command?: Texts;
  readonly ulimits?: { readonly nofile: number };
  readonly deploy?: { readonly replicas: number };
}

interface ComposeFile {
  readonly name: string;
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly volumes: object;
}

const each = (flag: string, values: Texts = []): string[] => values.flatMap((value) => [flag, value]);
/** What is not only an option. */
const ofStart = ['image', 'build', 'depends_on', 'command', 'deploy', 'ulimits'];

/** compose.yaml, run by podman: Debian's podman-compose knows neither conditions nor half of the fields. */
export class ComposeStack {
  /** All services that are built are built alike. */
  private built: Promise<void> | undefined;

  private constructor(
    private readonly file: ComposeFile,
    private readonly folder: string,
    private readonly project: string,
  ) {}

  /** `variables` are those of the file, and `settings` what the operator has written into .env. */
  static async make(
    variables: Readonly<Record<string, string>>,
    settings: Readonly<Record<string, string>>,
  ): Promise<ComposeStack> {
    const text = readFileSync('compose.yaml', 'utf8').replace(
      /\$\{(\w+)(?::-([^}]*)|:\?[^}]*)\}/g,
      (_, name: string, usual = '') => variables[name] ?? String(usual),
    );
    const file = parse(text, { merge: true }) as ComposeFile;
    const folder = await mkdtemp(join(tmpdir(), 'kohort-compose-'));
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(join(folder, '.env'), lines.join(''));
    const stack = new ComposeStack(file, folder, `${file.name}-${process.pid}`);
    for (const [name, network] of Object.entries(file.networks))
      await podman('network', 'create', ...(network?.internal ? ['--internal'] : []), stack.named(name));
    return stack;
  }

  /** The containers of a service. */
  of(service: string): string[] {
    const { deploy } = this.service(service);
    return Array.from({ length: deploy?.replicas ?? 1 }, (_, at) => this.named(`${service}-${at + 1}`));
  }

  /** Waits for what the service depends on, builds its image, and starts its containers. */
  async start(name: string): Promise<void> {
    const service = this.service(name);
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) await this.meets(other, condition);
    const image = service.image ?? 'kohort-compose';
    if (service.build) await (this.built ??= makeImage(image, service.build.args));
    for (const container of this.of(name)) {
      const options = ['--name', container, '--network-alias', name, ...this.optionsOf(name)];
      await podman('run', '--detach', ...options, image, ...(service.command ?? []));
    }
  }

  /** Waits until all containers of a service pass the health check of the file, which podman runs by itself only where systemd is. */
  async untilHealthy(name: string): Promise<void> {
    const [, ...check] = this.service(name).healthcheck?.test ?? [];
    for (const container of this.of(name))
      await until(async () => (await attempt('exec', container, ...check)).code === 0, {
        withinMs: 240_000,
        everyMs: 500,
        failure: () => `${container} is not healthy`,
      });
  }

  /** The address of each container on this machine. */
  async urls(service: string): Promise<string[]> {
    const ports = await Promise.all(this.of(service).map((container) => podman('port', container, '3000')));
    return ports.map((port) => `http://${port}`);
  }

  /** Of this machine, for containers in the network. */
  async gatewayOf(network: string): Promise<string> {
    return podman('network', 'inspect', '--format', '{{(index .Subnets 0).Gateway}}', this.named(network));
  }

  exitCode(container: string): Promise<string> {
    return podman('wait', container);
  }

  async remove(): Promise<void> {
    const containers = Object.keys(this.file.services).flatMap((service) => this.of(service));
    await podman('rm', '--force', '--ignore', '--volumes', '--time', '0', ...containers);
    await podman('volume', 'rm', '--force', ...Object.keys(this.file.volumes).map((name) => this.named(name)));
    await podman('network', 'rm', ...Object.keys(this.file.networks).map((name) => this.named(name)));
    await rm(this.folder, { recursive: true });
  }

  private named(name: string): string {
    return `${this.project}-${name}`;
  }

  private service(name: string): Service {
    const service = this.file.services[name];
    if (!service) throw new Error(`compose.yaml has no service ${name}`);
    return service;
  }

  private async meets(service: string, condition: string): Promise<void> {
    if (condition === 'service_healthy') return this.untilHealthy(service);
    if (condition !== 'service_completed_successfully') throw new Error(`the condition ${condition} is not known here`);
    for (const container of this.of(service)) {
      const code = await this.exitCode(container);
      if (code !== '0') throw new Error(`${container} ended with ${code}: ${await podman('logs', container)}`);
    }
  }

  /** A field that is not known here fails, or the walk would be through another stack than that of the file. */
  private optionsOf(name: string): string[] {
    const service = this.service(name);
    const fields = Object.entries(service).filter(([field]) => !ofStart.includes(field));
    const options = fields.flatMap(([field, value]) => {
      const option = this.options[field as keyof Options] as ((of: unknown) => string[]) | undefined;
      if (!option) throw new Error(`${name}: the field ${field} is not known here`);
      return option(value);
    });
    return [...ulimits(service.ulimits?.nofile), ...options];
  }

  private readonly options: Options = {
    restart: (policy) => ['--restart', policy],
    cap_drop: (names) => each('--cap-drop', names),
    cap_add: (names) => each('--cap-add', names),
    security_opt: (values) => each('--security-opt', values),
    logging: ({ driver, options }) => ['--log-driver', driver, '--log-opt', `max-size=${options['max-size']}`],
    read_only: (value) => (value ? ['--read-only', '--read-only-tmpfs=false'] : []),
    tmpfs: (mounts) => each('--tmpfs', mounts),
    mem_limit: (size) => ['--memory', size],
    shm_size: (size) => ['--shm-size', size],
    pids_limit: (count) => ['--pids-limit', String(count)],
    stop_grace_period: (seconds) => ['--stop-timeout', String(parseInt(seconds, 10))],
    env_file: (files) =>
      each(
        '--env-file',
        files.map(({ path }) => join(this.folder, path)),
      ),
    environment: (values) =>
      each(
        '--env',
        Object.entries(values).map(([variable, value]) => `${variable}=${value}`),
      ),
    networks: (names) => ['--network', names.map((network) => this.named(network)).join(',')],
    volumes: (mounts) =>
      each(
        '--volume',
        mounts.map((mount) => this.named(mount)),
      ),
    healthcheck: () => ['--no-healthcheck'],
    // Other ports than those of the file, which may not be free here.
    ports: (ports) =>
      each(
        '--publish',
        ports.map((port) => port.replace(/:[\d-]+:/, '::')),
      ),
  };
}
