CREATE TABLE "login_acl_reviewers" (
	"loginacl_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "login_acl_reviewers_loginacl_id_user_id_pk" PRIMARY KEY("loginacl_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "login_acls" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"priority" integer DEFAULT 50 NOT NULL,
	"user_id" uuid NOT NULL,
	"rules" jsonb NOT NULL,
	"action" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"created_by" text DEFAULT '' NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text DEFAULT '' NOT NULL,
	"date_updated" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "login_acl_reviewers" ADD CONSTRAINT "login_acl_reviewers_loginacl_id_login_acls_id_fk" FOREIGN KEY ("loginacl_id") REFERENCES "public"."login_acls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "login_acl_reviewers" ADD CONSTRAINT "login_acl_reviewers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "login_acls" ADD CONSTRAINT "login_acls_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "login_acl_reviewers_user_id_index" ON "login_acl_reviewers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "login_acls_user_idx" ON "login_acls" USING btree ("user_id");