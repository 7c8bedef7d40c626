/* Generated from sidecar-schema/manifest.schema.json by `npm run build`. Do not edit. */

export type Commands = ManifestCommand[];

/**
 * What a repository is: how it is built, tested and run, of what components it consists. Nothing was executed to find out. Evidence is `path:line`, lines counted from 1.
 */
export interface Manifest {
  schemaVersion: 1;
  packageManagers: NamedClaim[];
  manifests: {
    path: string;
    ecosystem: string;
    /**
     * Why it could not be read in full.
     */
    problem?: string;
  }[];
  /**
   * By purpose, the most certain first.
   */
  commands: {
    install?: Commands;
    build?: Commands;
    test?: Commands;
    lint?: Commands;
    format?: Commands;
    run?: Commands;
  };
  testFrameworks: NamedClaim[];
  entryPoints: {
    name: string;
    kind: 'command' | 'library' | 'main' | 'service' | 'plugin';
    /**
     * What it starts, as written.
     */
    target: string;
    /**
     * The file that it starts in, where it exists in the repository.
     */
    path?: string;
    evidence: string;
  }[];
  components: {
    name: string;
    /**
     * '.' is the root.
     */
    folder: string;
    kind: 'application' | 'library' | 'package' | 'module' | 'target' | 'service' | 'image' | 'example';
    ecosystem: string;
    /**
     * Other components of this repository.
     */
    dependsOn?: string[];
    evidence: string;
  }[];
  aggregators: {
    name: string;
    folder: string;
    /**
     * As written: folders or globs.
     */
    members: string[];
    /**
     * Members in all, where `members` is cut short.
     */
    total?: number;
    evidence: string;
  }[];
  externalPackages: {
    name: string;
    scope: 'runtime' | 'build' | 'optional' | 'development';
    /**
     * Manifests that name it.
     */
    usedBy: number;
    evidence: string;
  }[];
  layout: {
    files: number;
    roles: {
      [k: string]: number;
    };
    /**
     * Top folders by size with the role of most of their files.
     */
    folders: {
      path: string;
      files: number;
      role: string;
    }[];
    testFolders: string[];
    generated: string[];
    vendored: string[];
  };
  notes: {
    text: string;
    evidence?: string;
  }[];
  /**
   * Lists that were cut short to keep the manifest within its tokens.
   */
  cut: {
    section: string;
    shown: number;
    total: number;
  }[];
}
export interface NamedClaim {
  name: string;
  evidence: string[];
}
export interface ManifestCommand {
  command: string;
  /**
   * Where it is run; absent: the root.
   */
  folder?: string;
  /**
   * Further folders that define the same command.
   */
  alsoIn?: number;
  /**
   * What a named task executes.
   */
  runs?: string;
  confidence: number;
  evidence: string[];
}
